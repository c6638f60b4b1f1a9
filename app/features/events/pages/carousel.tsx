import { useEffect, useRef, useState } from "react";
import { useLessMotion } from "../../../ui/hooks/less-motion.ts";
import { PauseIcon, PlayIcon } from "../../../ui/icons.tsx";
import { type EventItem, nextSlide, slideIntervalMs } from "../model.ts";
import { EventCard } from "./event-card.tsx";

/**
 * Shows one event per slide on wide screens. On narrow screens, or without scripts, the same
 * elements are a list; carousel.css decides, so that the layout does not shift when scripts start.
 * The slides stop while the pointer or the keyboard focus is inside, while they are paused, and for
 * readers who prefer reduced motion (WCAG 2.2.2).
 */
export function EventCarousel({ events }: { events: EventItem[] }) {
  const [slide, setSlide] = useState(0);
  const [choice, setChoice] = useState<"paused" | "playing" | null>(null);
  const [isInUse, setInUse] = useState(false);
  const isWide = useMediaQuery("(min-width: 48rem)");
  const prefersLessMotion = useLessMotion();
  const track = useRef<HTMLUListElement>(null);
  const isPaused = choice === null ? prefersLessMotion : choice === "paused";
  const isMoving = isWide && !isPaused && !isInUse && events.length > 1;

  // The timer restarts with every slide, so a slide that the reader chose also gets its full time.
  useEffect(() => {
    if (!isMoving) return;
    const timer = setTimeout(() => setSlide(nextSlide(slide, events.length)), slideIntervalMs);
    return () => clearTimeout(timer);
  }, [isMoving, slide, events.length]);

  useEffect(() => {
    track.current?.style.setProperty("--slide", String(slide));
  }, [slide]);

  return (
    <section
      className="mt-6 md:mt-3"
      aria-label="Featured events"
      aria-roledescription="carousel"
      onPointerEnter={(event) => event.pointerType === "mouse" && setInUse(true)}
      onPointerLeave={() => setInUse(false)}
      onFocus={(event) => event.target.matches(":focus-visible") && setInUse(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setInUse(false)}
    >
      {/* The controls come first, so that keyboards and screen readers can pause the slides. */}
      {events.length > 1 && (
        <div className="carousel-controls">
          <button
            type="button"
            className="icon-button gap-2 px-2 font-semibold text-sm"
            onClick={() => setChoice(isPaused ? "playing" : "paused")}
          >
            {isPaused ? <PlayIcon /> : <PauseIcon />}
            {isPaused ? "Play" : "Pause"}
          </button>
          {events.map((event, index) => (
            <button
              key={event.id}
              type="button"
              className="carousel-dot"
              aria-label={`Show event ${index + 1} of ${events.length}: ${event.title}`}
              data-tooltip={event.title}
              aria-current={index === slide ? "true" : undefined}
              onClick={() => setSlide(index)}
            />
          ))}
        </div>
      )}
      <div className="carousel-window">
        <ul ref={track} className="carousel-track" aria-live={isMoving ? "off" : "polite"}>
          {events.map((event, index) => (
            <li key={event.id} className="carousel-slide" inert={isWide && index !== slide}>
              <EventCard event={event} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Returns false on the server and until hydration, so that server and browser markup are equal. */
function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(false);
  useEffect(() => {
    const mediaQueryList = matchMedia(query);
    const update = () => setMatches(mediaQueryList.matches);
    update();
    mediaQueryList.addEventListener("change", update);
    return () => mediaQueryList.removeEventListener("change", update);
  }, [query]);
  return matches;
}
