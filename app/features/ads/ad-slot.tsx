import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { CityImage } from "../../ui/city-image.tsx";
import {
  type AdRowContent,
  type AdSlotContent,
  adTimeoutMs,
  type HouseAd,
  preloadMargin,
} from "./model.ts";

const heightClass = { 200: "min-h-[200px]", 250: "min-h-[250px]", 600: "min-h-[600px]" };

type Props = { place: AdSlotContent } & Pick<AdRowContent, "height" | "houseLabel">;

/**
 * A place for an advertisement. A card of our own stands in it until an ad has shown itself, and if
 * none does.
 */
export function AdSlot({ place, height, houseLabel: ownLabel }: Props) {
  const { identity: slot, houseAd: house, framePath: frame } = place;
  const [phase, setPhase] = useState<Phase>("waiting");
  return (
    <div
      className={`ad-slot ${heightClass[height]}`}
      {...("id" in slot ? { "data-ad-slot": slot.id } : { "data-ad-type": slot.type })}
    >
      <p className="ad-label">{phase === "filled" ? "Advertisement" : ownLabel}</p>
      <div className="relative flex flex-1">
        <House card={house} isCovered={phase === "filled"} />
        {frame !== null && <AdFrame src={frame} phase={phase} onPhase={setPhase} />}
      </div>
    </div>
  );
}

type Phase = "waiting" | "asking" | "filled" | "empty";

/**
 * A frame of our own whose policy locks the ad's script in (see frame.server.ts). It appears when
 * its place comes near, and is seen only after it has said that there is something to see.
 */
function AdFrame({
  src,
  phase,
  onPhase,
}: {
  src: string;
  phase: Phase;
  onPhase(phase: Phase): void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);

  useEffect(() => {
    if (phase !== "waiting" || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onPhase("asking"),
      { rootMargin: preloadMargin },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [phase, onPhase]);

  useEffect(() => {
    if (phase !== "asking") return;
    const timer = setTimeout(() => onPhase("empty"), adTimeoutMs);
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      // Any window may send a message; only this frame's own counts.
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data === "harborline-ad:filled") onPhase("filled");
      if (data === "harborline-ad:empty") onPhase("empty");
    };
    addEventListener("message", listen);
    return () => {
      clearTimeout(timer);
      removeEventListener("message", listen);
    };
  }, [phase, onPhase]);

  return (
    <div ref={place} className="ad-frame-box" data-phase={phase}>
      {(phase === "asking" || phase === "filled") && (
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

function House({ card, isCovered }: { card: HouseAd; isCovered: boolean }) {
  const { kicker, title, text, link, image } = card;
  return (
    <div className="house-ad group" inert={isCovered}>
      {image && <CityImage image={{ ...image, alt: "" }} load="later" className="house-image" />}
      <div className="house-body">
        {kicker && <p className="house-kicker">{kicker}</p>}
        <p className="house-title">{title}</p>
        <p className="house-text">{text}</p>
        <Link to={link.to} className="house-link mt-auto">
          {link.label}
          <span className="sr-only">: {title}</span>
        </Link>
      </div>
    </div>
  );
}
