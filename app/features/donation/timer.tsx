import { type ComponentType, useEffect, useState } from "react";
import { type Donation, donationDelayMs } from "./model.ts";

type Props = { donation: Donation };

/** A reader who has not typed for this long has stopped typing. */
const typingPauseMs = 10_000;

/** How long a reader may need for a form in a frame. */
const maxFrameMs = 120_000;

/**
 * Loads the pop-up when it is due, so that no page waits for its code. A reader who is typing is
 * not interrupted.
 */
export function DonationTimer({ donation }: Props) {
  const [Popup, setPopup] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    let quietUntil = 0;
    const framesUntil = Date.now() + donationDelayMs + maxFrameMs;
    const onInput = () => {
      quietUntil = Date.now() + typingPauseMs;
    };
    const show = () => {
      // The contact form is in a frame, whose events do not arrive here.
      const isInFrame =
        document.activeElement instanceof HTMLIFrameElement && Date.now() < framesUntil;
      const waitMs = isInFrame ? typingPauseMs : quietUntil - Date.now();
      if (waitMs > 0) {
        timer = setTimeout(show, waitMs);
        return;
      }
      import("./popup.tsx").then(
        ({ DonationPopup }) => setPopup(() => DonationPopup),
        // If the pop-up cannot be loaded, the reader is not asked.
        () => {},
      );
    };
    let timer = setTimeout(show, donationDelayMs);
    document.addEventListener("input", onInput);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("input", onInput);
    };
  }, []);
  return Popup && <Popup donation={donation} />;
}
