/** The banner that the device layer last loaded, for a layout that begins after the first page. */
export const lastBanner = { __html: "" };
