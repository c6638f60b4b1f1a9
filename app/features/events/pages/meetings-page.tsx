import type { ReactNode } from "react";
import { PillLink, PillRow } from "../../../ui/choices/pill-row.tsx";
import { ExternalLinks } from "../../../ui/external-link.tsx";
import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { Link } from "../../../ui/link.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import { type MeetingItem, meetingsPath, toBodyQuery } from "../meetings/model.ts";
import type { MeetingsView } from "../meetings/view.server.ts";
import { toSavedEvent } from "../model.ts";
import { DocumentLinks, SpeakNote } from "./meeting-page.tsx";
import { Days } from "./wall.tsx";

type Props = MeetingsView & { follow: ReactNode };

/**
 * The coming public meetings, those of one body or of all, and the last ones with their minutes.
 */
export function MeetingsPage(props: Props) {
  const { head, bodies, body, howToSpeak, days, moreCount, recent, sources, hasSamples } = props;
  return (
    <div className="page">
      <div className="section-head">
        <h1 className="kicker">{body ? body.name : head.heading}</h1>
        <p className="section-intro">{head.intro}</p>
        {props.follow}
      </div>
      {bodies.length > 1 && <Bodies bodies={bodies} body={body} />}
      {hasSamples && (
        <p className="mt-4 max-w-2xl border-gold border-l-4 pl-3">
          <strong>These are sample meetings.</strong> They show what meetings look like here and
          will not take place.
        </p>
      )}
      <div className="mt-6 grid gap-10 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] print:block">
        <section aria-label="Coming meetings">
          {days.length > 0 ? <Days days={days} show={showMeeting} /> : <Nothing body={body} />}
          {moreCount > 0 && (
            <p className="py-5 text-ink-soft">
              And {moreCount} more. Choose a body above to see them all.
            </p>
          )}
        </section>
        <div className="space-y-8">
          {howToSpeak && <SpeakNote howToSpeak={howToSpeak} />}
          {recent.length > 0 && (
            <section aria-labelledby="recent-meetings">
              <h2 id="recent-meetings" className="text-xl">
                Recent meetings
              </h2>
              <Days days={recent} show={showMeeting} />
            </section>
          )}
          <Sources sources={sources} />
        </div>
      </div>
    </div>
  );
}

function Bodies({ bodies, body }: Pick<Props, "bodies" | "body">) {
  return (
    <nav aria-label="Filter meetings by body" className="no-print mt-2 md:mt-6">
      <PillRow>
        <PillLink label="All bodies" to={meetingsPath} isOn={body === null} />
        {bodies.map(({ slug, name, count }) => (
          <PillLink
            key={slug}
            label={name}
            to={meetingsPath + toBodyQuery(slug)}
            isOn={slug === body?.slug}
            count={count}
          />
        ))}
      </PillRow>
    </nav>
  );
}

const showMeeting = (item: MeetingItem) => <Meeting item={item} />;

function Meeting({ item }: { item: MeetingItem }) {
  return (
    <article id={item.id} className="wrap-anywhere relative scroll-mt-20 py-4">
      <MeetingMarks item={item} />
      <h3 className={item.isCanceled ? "text-xl line-through" : "text-xl"}>
        <Link to={item.path} className="cover-link">
          {item.title}
        </Link>
      </h3>
      <div className="save-row mt-1 text-sm">
        <p>
          <span className="font-semibold">{item.timeLine}</span>
          {item.location && <span className="text-ink-soft">&nbsp;· {item.location}</span>}
        </p>
        <SaveButton item={toSavedEvent(item)} />
      </div>
      <DocumentLinks links={item.links} title={item.title} />
    </article>
  );
}

function MeetingMarks({ item: { body, isCanceled, moved, isSample } }: { item: MeetingItem }) {
  if (body === null && !isCanceled && moved === null && !isSample) return null;
  return (
    <p className="flex flex-wrap gap-x-2 font-semibold text-ink-soft text-label">
      {body} {isCanceled && <span className="mark">Canceled</span>}{" "}
      {moved && <span className="text-crab">{moved}</span>}{" "}
      {isSample && <span className="mark">Sample</span>}
    </p>
  );
}

const Nothing = ({ body }: Pick<Props, "body">) => (
  <div className="sheet empty w-full">
    <p className="font-semibold font-serif text-3xl">No meetings known</p>
    <p className="max-w-xs text-ink-soft">
      We know of no coming meeting{body ? ` of the ${body.name}` : ""}. When a body announces one,
      it appears here.
    </p>
    {body && (
      <p>
        <Link to={meetingsPath} className="button button-plain">
          See all meetings
        </Link>
      </p>
    )}
  </div>
);

function Sources({ sources }: Pick<Props, "sources">) {
  const hasPage = useHasPage();
  return (
    <section className="text-ink-soft text-sm">
      {sources.length > 0 && (
        <p>
          Meetings and documents from <ExternalLinks links={sources} />. Bodies may change a meeting
          at short notice.
        </p>
      )}
      {hasPage("/events") && (
        <p className="mt-2">
          Meetings are also{" "}
          <Link to="/events?category=public-meetings" className="text-link">
            among our events
          </Link>
          .
        </p>
      )}
    </section>
  );
}
