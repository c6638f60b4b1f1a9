import { type FocusEvent, useEffect, useId, useRef, useState } from "react";
import { createDeviceValue } from "../../lib/device/device-value.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import {
  type Donation,
  type DonationMemory,
  donationFadeMs,
  type Frequency,
  mayAsk,
} from "./model.ts";

type Phase = "waiting" | "open" | "closing" | "gone";

/** Asks for a donation. It does not take the focus, and Escape closes it. */
export function DonationPopup({ donation }: { donation: Donation }) {
  const { frequency, from, until, heading, text, url } = donation;
  const [phase, setPhase] = useState<Phase>("waiting");
  const card = useRef<HTMLElement>(null);
  const previousFocus = useRef<HTMLElement | null>(null);
  const headingId = useId();

  useEffect(() => {
    // While the city has an emergency, nobody is asked for money.
    if (document.querySelector(".alert-urgent")) return;
    if (!mayAsk({ frequency, from, until }, readMemory(), Date.now())) return;
    rememberShown(frequency, Date.now());
    setPhase("open");
  }, [frequency, from, until]);

  useEffect(() => {
    if (phase !== "open") return;
    const onKey = (event: KeyboardEvent) => {
      // If a menu is open, Escape closes only the menu.
      if (event.key === "Escape" && !document.querySelector(":popover-open")) setPhase("closing");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [phase]);

  useEffect(() => {
    if (phase !== "closing") return;
    if (card.current?.contains(document.activeElement))
      previousFocus.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => setPhase("gone"), donationFadeMs);
    return () => clearTimeout(timer);
  }, [phase]);

  const close = () => setPhase("closing");
  const donate = () => {
    donatedAt.write(Date.now());
    close();
  };
  const neverAskAgain = () => {
    neverAgain.write(true);
    close();
  };
  const rememberFocus = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !card.current?.contains(relatedTarget)) {
      previousFocus.current = relatedTarget;
    }
  };

  const isShown = phase === "open" || phase === "closing";
  return (
    <>
      <p role="status" className="sr-only">
        {phase === "open" &&
          `${heading}. A message with this title has opened at the end of the page.`}
      </p>
      {isShown && (
        <aside
          ref={card}
          aria-labelledby={headingId}
          onFocus={rememberFocus}
          data-phase={phase}
          className="no-print donation-popup"
        >
          <button
            type="button"
            className="icon-button absolute top-2 right-2 low:top-0 low:right-0"
            aria-label="Close"
            data-tooltip="Close"
            onClick={close}
          >
            <CloseIcon />
          </button>
          <div className="min-h-10 overflow-auto">
            <h2 id={headingId} className="pr-8 text-xl">
              {heading}
            </h2>
            <p className="mt-2">{text}</p>
          </div>
          <div className="donation-actions flex flex-none flex-wrap items-center gap-x-2 gap-y-2 low:gap-y-1">
            <ExternalLink href={url} className="button button-gold" onClick={donate}>
              Donate Now
            </ExternalLink>
            <button type="button" className="button button-plain" onClick={close}>
              Maybe Later
            </button>
            <button
              type="button"
              className="py-1 text-ink-soft text-sm/text underline not-low:basis-full not-low:text-left"
              onClick={neverAskAgain}
            >
              Don’t ask again
            </button>
          </div>
        </aside>
      )}
    </>
  );
}

const neverAgain = createDeviceValue("donation.never", false, Boolean);
const createTime = (key: string) =>
  createDeviceValue<number | null>(key, null, (stored) => Number(stored) || 0);
const lastShown = createTime("donation.lastShown");
const donatedAt = createTime("donation.donatedAt");
const shownThisSession = createDeviceValue(
  "donation.thisSession",
  false,
  Boolean,
  "sessionStorage",
);

const readMemory = (): DonationMemory => ({
  neverAgain: neverAgain.read(),
  shownThisSession: shownThisSession.read(),
  lastShown: lastShown.read(),
  donatedAt: donatedAt.read(),
});

/** Remembers that the pop-up was shown, unless it may appear on every page load. */
function rememberShown(frequency: Frequency, now: number): void {
  if (frequency === "session") shownThisSession.write(true);
  else if (frequency !== "every-load") lastShown.write(now);
}
