import { Link } from "react-router";
import { ArtPicture } from "../../ui/art-picture.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Prose } from "../../ui/prose.tsx";
import { EventFacts } from "./event-card.tsx";
import type { EventDetails } from "./model.ts";

export function EventPage({ event }: { event: EventDetails }) {
  return (
    <article className="page pt-10 lg:pt-14">
      <div className="grid items-start gap-8 lg:grid-cols-[1.35fr_1fr] lg:gap-12">
        <ArtPicture picture={event.image} load="first" className="w-full rounded-sm" />
        <header>
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Badge>{event.category}</Badge>
            {event.free && <Badge>Free</Badge>}
            {event.isSample && <Badge>Sample event</Badge>}
          </p>
          <h1 className="mt-4 text-4xl md:text-5xl">{event.title}</h1>
          {event.isPast && (
            <p className="mt-4 border-crab border-l-4 pl-3 font-semibold">This event is over.</p>
          )}
          <EventFacts event={event} />
          <p className="mt-5 text-ink-soft text-lg">{event.excerpt}</p>
        </header>
      </div>
      <div className="mx-auto mt-10 max-w-2xl">
        <Prose html={event.html} />
        <p className="mt-8">
          <Link to="/events" className="text-link font-semibold">
            View All Events
          </Link>
        </p>
      </div>
    </article>
  );
}
