import { bannerId } from "../../../lib/http/banner-slot.ts";

/** The banner that the device layer last loaded, for a layout that begins after the first page. */
export const lastBanner = { __html: "" };

/**
 * Where pages show running alerts. The server fills it when it sends a page (banner-slot.ts), and
 * refresh-banner.ts when the reader opens another page. React leaves its content alone. It has no
 * attribute except its id, because the server searches the HTML for exactly `bannerSlot`.
 */
export const AlertSlot = () => (
  <div
    id={bannerId}
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own server has rendered it
    dangerouslySetInnerHTML={lastBanner}
  />
);
