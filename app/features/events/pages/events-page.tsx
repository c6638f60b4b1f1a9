import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { ExternalLink, ExternalLinks } from "../../../ui/external-link.tsx";
import { Link } from "../../../ui/link.tsx";
import { TitleBlock } from "../../../ui/title-list.tsx";
import type { EventsTexts } from "../files.server.ts";
import type { SoonEvents } from "../listing/select.server.ts";
import { eventsPath, filterHref, submitEventPath, type WallItem } from "../model.ts";
import { EventTitles } from "./event-titles.tsx";
import { Filters } from "./filters.tsx";

type Props = ComponentProps<typeof Filters> & {
  texts: Pick<EventsTexts, "heading" | "intro" | "history">;
  sources: { name: string; url: string }[];
  soon: SoonEvents;
  /** The exhibitions that have begun. */
  onView: WallItem[];
  /** False if the page shows the wall of another service, which has its own filters. */
  hasFilters: boolean;
  follow: ReactNode;
  children: ReactNode;
};

const columns = "mt-2 grid gap-10 md:mt-6 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] print:block";
/** The column is as high as the wall. */
const besideWall = "flex flex-col gap-8 lg:justify-between lg:gap-6";

export function EventsPage(props: Props) {
  const { texts, sources, soon, onView, filter, hasFilters, follow, children, ...filters } = props;
  const hasOnView = hasFilters && onView.length > 0;
  const isMonth = hasFilters && filter.month !== null;
  const heading = useFocusFallback(filterHref(eventsPath, filter));
  return (
    <div className="page">
      <div className="section-head">
        <h1 ref={heading} tabIndex={-1} className="kicker">
          {texts.heading}
        </h1>
        {!filter.day && <p className="section-intro">{texts.intro}</p>}
        {follow}
      </div>
      {hasFilters && <Filters filter={filter} {...filters} />}
      <div className={isMonth ? "mt-6" : columns}>
        <div className="@container">
          {hasOnView && (
            <p className="no-print mb-4 md:hidden">
              <a href="#on-view" className="text-link">
                Also on view
              </a>
            </p>
          )}
          {children}
        </div>
        <div className={isMonth ? "mt-14 grid gap-10 md:grid-cols-2" : besideWall}>
          {hasFilters && <Soon soon={soon} filter={filter} />}
          {hasOnView && (
            <section id="on-view" tabIndex={-1} className="title-block">
              <h2 className="py-1.5 text-xl/[1.3]">On view</h2>
              <EventTitles events={onView} isOneDay />
            </section>
          )}
          <SubmitAndSources sources={sources} />
          {texts.history.links.length > 0 && <History history={texts.history} />}
        </div>
      </div>
    </div>
  );
}

/**
 * Following a link may remove that link from the page, such as a date of the month view. The
 * heading then gets the focus, so that readers who use a keyboard continue from there.
 */
function useFocusFallback(view: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shownView = useRef(view);
  useEffect(() => {
    const isNew = shownView.current !== view;
    shownView.current = view;
    if (isNew && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, [view]);
  return heading;
}

/** A narrow column has room for two events each. */
const soonBlock = "full-only no-print max-lg:hidden max-xl:[&_.title-list>:nth-child(n+3)]:hidden";

/** Small screens have these events on the wall only, which begins with them. */
function Soon({ soon: { tonight, weekend, next }, filter }: Pick<Props, "soon" | "filter">) {
  const linkTo = (when: "today" | "weekend") => filterHref(eventsPath, { ...filter, when });
  return (
    <>
      {tonight.length > 0 && (
        <div className={soonBlock}>
          <TitleBlock label="Tonight" to={linkTo("today")}>
            <EventTitles events={tonight} isOneDay />
          </TitleBlock>
        </div>
      )}
      {weekend.length > 0 && (
        <div className={soonBlock}>
          <TitleBlock label="This weekend" to={linkTo("weekend")}>
            <EventTitles events={weekend} />
          </TitleBlock>
        </div>
      )}
      {next.length > 0 && (
        <div className={weekend.length > 0 ? `${soonBlock} max-xl:hidden` : soonBlock}>
          <section className="title-block">
            <h2 className="py-1.5 text-xl/[1.3]">Coming up</h2>
            <EventTitles events={next} />
          </section>
        </div>
      )}
    </>
  );
}

function SubmitAndSources({ sources }: Pick<Props, "sources">) {
  return (
    <section aria-labelledby="take-part" className="title-block no-print">
      <h2 id="take-part" className="py-1.5 text-xl/[1.3]">
        Something missing?
      </h2>
      <p className="text-ink-soft">
        If it is in or near the city and open to everyone, it belongs here. Listings are free.
      </p>
      <p className="mt-4">
        <Link to={submitEventPath} className="button button-gold">
          Submit an Event
        </Link>
      </p>
      {sources.length > 0 && (
        <p className="mt-5 text-ink-soft text-sm">
          Some events come from other calendars: <ExternalLinks links={sources} />.
        </p>
      )}
    </section>
  );
}

function History({ history: { heading, text, links } }: { history: EventsTexts["history"] }) {
  return (
    <section aria-labelledby="history" className="title-block">
      <h2 id="history" className="py-1.5 text-xl/[1.3]">
        {heading}
      </h2>
      <p className="text-ink-soft lg:max-xl:hidden">{text}</p>
      <ul className="mt-3">
        {links.map(({ label, url, text: about }) => (
          <li key={url} className="border-line border-t py-3">
            <ExternalLink
              href={url}
              className="text-link inline-block py-0.5 font-semibold text-lg"
            >
              {label}
            </ExternalLink>
            <p className="mt-0.5 text-ink-soft text-sm lg:max-xl:hidden">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
