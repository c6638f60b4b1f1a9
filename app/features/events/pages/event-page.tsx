import { toQueryString } from "../../../lib/links/query.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { describeShape } from "../../../ui/lead-image.tsx";
import { Link } from "../../../ui/link.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { ShareTools } from "../../../ui/share/share-tools.tsx";
import { TitleBlock } from "../../../ui/title-list.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { EventDetails } from "../listing/describe.server.ts";
import { type EventList, eventsPath, filterHref, toSavedEvent } from "../model.ts";
import { EventFacts, EventImage, EventStatus } from "./event-card.tsx";
import { EventTitles } from "./event-titles.tsx";

type Props = {
  event: EventDetails;
  /** Null in a preview: readers cannot open the event yet, so nobody can share or save it. */
  url: string | null;
  next: EventList[];
};

export function EventPage({ event, url, next }: Props) {
  const { id, category, price, link, agenda, source, moreDates } = event;
  return (
    <article className="page pt-8 lg:pt-10">
      <div className="grid items-start gap-8 lg:grid-cols-[1.35fr_1fr] lg:grid-rows-[auto_1fr] lg:gap-x-12">
        <EventImage
          event={event}
          load="first"
          className={event.image ? describeShape(event.image) : "card-image rounded-xs"}
        />
        <header className="lg:row-span-2">
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Badge>{category}</Badge>
            {price !== null && <Badge>{price}</Badge>}
          </p>
          <h1 className="wrap-anywhere mt-4 text-4xl md:text-5xl">{event.title}</h1>
          <EventStatus event={event} noun="event" />
          <EventFacts event={event} />
          {url !== null && (
            <div className="mt-3">
              <ShareTools
                title={event.title}
                url={url}
                details={`${event.dateLine}, ${event.timeLine}`}
                reportPath={`/events/${id}`}
              >
                <SaveButton item={toSavedEvent(event)} look="tool" />
              </ShareTools>
            </div>
          )}
          {url !== null && !event.isPast && !event.isCanceled && <CalendarLinks event={event} />}
        </header>
        <div className="min-w-0 max-w-2xl">
          {event.html !== null && <p className="mb-6 text-ink-soft text-lg">{event.excerpt}</p>}
          {event.html === null ? (
            <p className="prose wrap-anywhere whitespace-pre-line">{event.text}</p>
          ) : (
            <Prose html={event.html} />
          )}
          {(link || agenda || source) && (
            <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2">
              {agenda && (
                <ExternalLink href={agenda} className="text-link font-semibold">
                  Agenda<span className="sr-only"> of {event.title}</span>
                </ExternalLink>
              )}
              {link && (
                <ExternalLink href={link} className="text-link font-semibold">
                  More about this event
                </ExternalLink>
              )}
              {source && (
                <span className="text-ink-soft">
                  From the calendar of{" "}
                  <ExternalLink href={source.url} className="text-link">
                    {source.name}
                  </ExternalLink>
                </span>
              )}
            </p>
          )}
          <div className="no-print mt-8 space-y-8">
            {moreDates.length > 0 && (
              <section>
                <h2 className="mb-2 text-xl">More dates</h2>
                <ul className="space-y-1">
                  {moreDates.slice(0, maxMoreDates).map(({ path, label }) => (
                    <li key={path}>
                      <Link to={path} className="text-link inline-block py-0.5">
                        <span className="sr-only">{event.title}, </span>
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
                {moreDates.length > maxMoreDates && (
                  <p className="mt-1 text-ink-soft">More dates follow.</p>
                )}
              </section>
            )}
            <p>
              <Link to={eventsPath} className="text-link inline-block py-1 font-semibold">
                View All Events
              </Link>
            </p>
          </div>
        </div>
      </div>
      <div className="no-print mt-12 grid gap-x-12 gap-y-8 md:grid-cols-2">
        {next.map(({ label, filter, events }) => (
          <TitleBlock key={label} label={label} to={filterHref(eventsPath, filter)}>
            <EventTitles events={events} isOneDay={filter.day !== null} />
          </TitleBlock>
        ))}
      </div>
    </article>
  );
}

const maxMoreDates = 8;

function CalendarLinks({ event: { id, day, title, calendars } }: Pick<Props, "event">) {
  return (
    <section className="no-print mt-5 border-line border-t pt-4">
      <h2 className="text-xl">Add to your calendar</h2>
      <ul className="mt-1 flex flex-wrap gap-x-5">
        <li>
          <a
            href={`/events/${id}/calendar.ics${toQueryString({ day })}`}
            className="text-link inline-block py-1 font-semibold"
          >
            Calendar file (.ics)<span className="sr-only"> for {title}</span>
          </a>
        </li>
        {calendars.map(({ label, url }) => (
          <li key={label}>
            <ExternalLink href={url} className="text-link inline-block py-1">
              {label}
              <span className="sr-only">: add {title}</span>
            </ExternalLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
