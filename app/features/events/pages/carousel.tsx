import { useEffect, useRef, useState } from "react";
import { PauseIcon, PlayIcon } from "../../../ui/icons.tsx";
import { type EventItem, nextSlide, slideIntervalMs } from "../model.ts";
import { EventCard } from "./event-card.tsx";

/**
 * The events, one a slide where the screen is wide, one below the other where it is not or where no
 * script runs: the same elements, set by carousel.css, so that nothing moves when scripts take
 * over. It stands still while a reader is at it, while it is paused, and for readers who asked for
 * less motion (WCAG 2.2.2).
 */
export function EventCarousel({ events }: { events: EventItem[] }) {
  const [slide, setSlide] = useState(0);
  const [choice, setChoice] = useState<"paused" | "playing" | null>(null);
  const [isInUse, setInUse] = useState(false);
  const isWide = useMediaQuery("(min-width: 48rem)");
  const prefersReducedMotion = useMediaQuery("(prefers-reduced-motion: reduce)");
  const track = useRef<HTMLUListElement>(null);
  const isPaused = choice === null ? prefersReducedMotion : choice === "paused";
  const isMoving = isWide && !isPaused && !isInUse && events.length > 1;

  // Begins anew with every slide, so that one that was chosen gets its full time too.
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
      className="carousel mt-6 md:mt-3"
      aria-label="Events, one at a time"
      aria-roledescription="carousel"
      onPointerEnter={(event) => event.pointerType === "mouse" && setInUse(true)}
      onPointerLeave={() => setInUse(false)}
      onFocus={(event) => event.target.matches(":focus-visible") && setInUse(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setInUse(false)}
    >
      {/* Before the slides, so that readers with a keyboard or a screen reader can stop them first. */}
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

/** False on the server and until the page is live, so that both draw the same. */
function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(false);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  return matches;
}
