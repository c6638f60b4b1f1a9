import { Badge } from "../../../ui/badge.tsx";
import { CityImage } from "../../../ui/city-image.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { CalendarIcon, ClockIcon, PlaceIcon } from "../../../ui/icons.tsx";
import { Link } from "../../../ui/link.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import { type EventItem, toSavedEvent } from "../model.ts";

export function EventCard({ event }: { event: EventItem }) {
  return (
    <article className="card event-card">
      <EventImage event={event} load="later" className="card-image" />
      <div className="card-body">
        {event.isSample && (
          <p className="mb-2">
            <Badge>Sample event</Badge>
          </p>
        )}
        <h3 className="text-2xl lg:text-3xl">{event.title}</h3>
        <EventFacts event={event} />
        {/* An imported event without a description has its title as excerpt. */}
        {event.excerpt !== event.title && (
          <p className="mt-3 line-clamp-3 text-ink-soft">{event.excerpt}</p>
        )}
        <p className="mt-auto pt-4">
          <Link to={event.path} className="cover-link card-link">
            Event Details<span className="sr-only">: {event.title}</span>
          </Link>
        </p>
      </div>
      <SaveButton item={toSavedEvent(event)} />
    </article>
  );
}

type ImageProps = {
  event: Pick<EventItem, "image" | "dateTile">;
  load: "first" | "later";
  className: string;
};

/** An event without an image gets a tile with its date. */
export function EventImage({ event: { image, dateTile }, load, className }: ImageProps) {
  if (image)
    return (
      <CityImage
        image={image}
        load={load}
        sizes={load === "later" ? "card" : "story"}
        className={className}
      />
    );
  return (
    <div className={`date-tile ${className}`} aria-hidden="true">
      <span className="date-tile-month">{dateTile.month}</span>
      <span className="date-tile-day">{dateTile.day}</span>
      <span className="date-tile-weekday">{dateTile.weekday}</span>
    </div>
  );
}

type FactsProps = {
  event: Pick<EventItem, "dateLine" | "timeLine" | "location"> & {
    repeats?: string | null;
    mapUrl?: string;
  };
};

export function EventFacts({ event }: FactsProps) {
  return (
    <ul className="wrap-anywhere mt-3 space-y-1.5 font-medium [&_svg]:mt-0.5 [&_svg]:shrink-0 [&_svg]:text-crab">
      <li className="flex gap-2.5">
        <CalendarIcon />
        {event.repeats ? `${event.dateLine} · ${event.repeats}` : event.dateLine}
      </li>
      <li className="flex gap-2.5">
        <ClockIcon />
        {event.timeLine}
      </li>
      {event.location && (
        <li className="flex gap-2.5">
          <PlaceIcon />
          <span>
            {event.location}
            {event.mapUrl !== undefined && (
              <>
                <br />
                <ExternalLink href={event.mapUrl} className="text-link inline-block py-1">
                  Find it on a map<span className="sr-only">: {event.location}</span>
                </ExternalLink>
              </>
            )}
          </span>
        </li>
      )}
    </ul>
  );
}

type StatusProps = {
  event: { isSample: boolean; isCanceled: boolean; isPast: boolean };
  noun: "event" | "meeting";
};

/** Says that an event or a meeting is a sample, is canceled or is over. */
export function EventStatus({ event: { isSample, isCanceled, isPast }, noun }: StatusProps) {
  return (
    <>
      {isSample && (
        <p className="mt-4 border-gold border-l-4 pl-3">
          <strong>This is a sample {noun}.</strong> It shows what {noun}s look like here and will
          not take place.
        </p>
      )}
      {(isCanceled || isPast) && (
        <p className="mt-4 border-crab border-l-4 pl-3 font-semibold">
          {isCanceled ? `This ${noun} has been canceled.` : `This ${noun} is over.`}
        </p>
      )}
    </>
  );
}
