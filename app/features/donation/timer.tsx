import { type ComponentType, useEffect, useState } from "react";
import { type Donation, donationDelayMs } from "./model.ts";

type Props = { donation: Donation };

/** Loads the pop-up when it is due, so that no page waits for its code. */
export function DonationTimer({ donation }: Props) {
  const [Popup, setPopup] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      import("./popup.tsx").then(
        ({ DonationPopup }) => setPopup(() => DonationPopup),
        // Without a connection, nobody is asked.
        () => {},
      );
    }, donationDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return Popup && <Popup donation={donation} />;
}
