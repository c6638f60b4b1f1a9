import { useEffect, useRef, useState } from "react";
import { findImagePaths } from "../../lib/images/art.ts";
import { CityImage } from "../../ui/city-image.tsx";
import { Link } from "../../ui/link.tsx";
import {
  type AdRowContent,
  type AdSlotContent,
  adTimeoutMs,
  type HouseAd,
  preloadMargin,
  removeShownImages,
} from "./model.ts";

type Props = {
  row: AdRowContent | null;
  /** Page content that was not known yet when the server prepared the row. */
  otherContent?: unknown;
};

/** On a phone, ads.css hides all slots of the row except the first, so they load nothing. */
export function AdRow({ row: preparedRow, otherContent }: Props) {
  if (!preparedRow) return null;
  const row =
    otherContent === undefined
      ? preparedRow
      : removeShownImages(preparedRow, findImagePaths(otherContent));
  return (
    <div className="ad-row page no-print mt-16 grid auto-cols-fr grid-flow-col gap-6 lg:mt-20 lg:gap-8">
      <AdSlots row={row} />
    </div>
  );
}

/** A tall ad slot next to the text, on screens that are wide enough for it. */
export function AdColumn({ row }: { row: AdRowContent | null }) {
  if (!row) return null;
  return (
    <div className="ad-column no-print hidden min-w-0 lg:block">
      <AdSlots row={row} />
    </div>
  );
}

const AdSlots = ({ row: { slots, height, houseLabel } }: { row: AdRowContent }) =>
  slots.map((slot) => (
    <AdSlot
      key={"id" in slot.identity ? slot.identity.id : slot.identity.type}
      slot={slot}
      height={height}
      houseLabel={houseLabel}
    />
  ));

const heightClass = { 200: "min-h-[200px]", 250: "min-h-[250px]", 600: "min-h-[600px]" };

type SlotProps = { slot: AdSlotContent } & Pick<AdRowContent, "height" | "houseLabel">;

/** Shows a house ad until the ad network has displayed an ad, and keeps it if none arrives. */
function AdSlot({ slot, height, houseLabel }: SlotProps) {
  const { identity, houseAd, framePath } = slot;
  const [phase, setPhase] = useState<Phase>("waiting");
  return (
    <div
      className={`ad-slot ${heightClass[height]}`}
      {...("id" in identity ? { "data-ad-slot": identity.id } : { "data-ad-type": identity.type })}
    >
      <p className="mb-1.5 text-ink-soft text-xs">
        {phase === "filled" ? "Advertisement" : houseLabel}
      </p>
      <div className="relative flex flex-1">
        <HouseAdCard houseAd={houseAd} isCovered={phase === "filled"} />
        {framePath !== null && <AdFrame src={framePath} phase={phase} onPhase={setPhase} />}
      </div>
    </div>
  );
}

type Phase = "waiting" | "loading" | "filled" | "empty";

type FrameProps = { src: string; phase: Phase; onPhase(phase: Phase): void };

/**
 * A frame from our own server whose security policy confines the ad's script (ad-frame.server.ts).
 * It is added when the reader scrolls near the slot, and becomes visible only after it has reported
 * that it shows something.
 */
function AdFrame({ src, phase, onPhase }: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);

  useEffect(() => {
    if (phase !== "waiting" || !box.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onPhase("loading"),
      { rootMargin: preloadMargin },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [phase, onPhase]);

  useEffect(() => {
    if (phase !== "loading") return;
    const timer = setTimeout(() => onPhase("empty"), adTimeoutMs);
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      // Any window can send a message; only messages from this frame count.
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data === "harborline-ad:filled") onPhase("filled");
      if (data === "harborline-ad:empty") onPhase("empty");
    };
    addEventListener("message", onMessage);
    return () => {
      clearTimeout(timer);
      removeEventListener("message", onMessage);
    };
  }, [phase, onPhase]);

  return (
    <div ref={box} className="ad-frame-box" data-phase={phase}>
      {(phase === "loading" || phase === "filled") && (
        <iframe
          ref={frame}
          src={src}
          title="Advertisement"
          className="h-full w-full"
          sandbox="allow-scripts allow-popups"
          referrerPolicy="origin"
        />
      )}
    </div>
  );
}

function HouseAdCard({ houseAd, isCovered }: { houseAd: HouseAd; isCovered: boolean }) {
  const { kicker, title, text, link, image } = houseAd;
  return (
    <div className="house-ad" inert={isCovered}>
      {image && (
        <CityImage
          image={{ ...image, alt: "" }}
          load="later"
          sizes="card"
          className="thumb house-image"
        />
      )}
      <div>
        {kicker && <p className="font-semibold text-crab text-sm">{kicker}</p>}
        <p className="house-title text-lg/[1.25]">{title}</p>
      </div>
      <div>
        <p className="line-clamp-3 text-ink-soft text-note">{text}</p>
        <Link
          to={link.to}
          className="cover-link inline-block pt-2 pb-1.5 font-semibold text-accent"
        >
          {link.label}
          <span className="sr-only">: {title}</span>
        </Link>
      </div>
    </div>
  );
}
