import type { ReactNode } from "react";
import { AnyLink } from "../../../ui/any-link.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { ExternalLinkIcon } from "../../../ui/icons.tsx";
import { Link } from "../../../ui/link.tsx";
import { Neighbors } from "../../../ui/neighbors.tsx";
import { Follow } from "../../../ui/share/follow.tsx";
import { ShareTools } from "../../../ui/share/share-tools.tsx";
import { AlertList } from "../../alerts/pages/alerts-page.tsx";
import type { ShownAlert } from "../../alerts/pages/page.server.ts";
import type { GoodToKnow } from "../../feeds/model.ts";
import { SaveButton } from "../../saved/save-button.tsx";
import { type Brief, briefArchivePath, briefDayPath, briefFeedPath } from "../model.ts";

export type BriefPageContent = {
  heading: string;
  intro: string;
  brief: Brief;
  origin: string;
  /** What to expect of the brief of today, if this is an earlier one. */
  notice: string | null;
  earlier: { day: string; date: string } | null;
  later: { day: string; date: string } | null;
  /** The radio station and its current program, if there is one and this is the latest brief. */
  onAir: { station: string; text: string } | null;
  /** The name under items that our editors wrote. */
  signature: string;
  /** The alerts of the day, also those that came after the brief was made. */
  alerts: ShownAlert[];
};

export function BriefPage({ content }: { content: BriefPageContent }) {
  const { heading, intro, brief, origin, notice, onAir, signature } = content;
  const url = origin + briefDayPath(brief.day);
  return (
    <div className="page pt-[clamp(1.5rem,4vw,3.5rem)]">
      <article className="brief-sheet">
        <header>
          <h1 className="text-4xl md:text-5xl">{heading}</h1>
          <p className="mt-1 text-center text-ink-soft text-sm/text">{intro}</p>
          <p className="brief-dateline">
            <time dateTime={brief.day} className="font-semibold">
              {brief.date}
            </time>
            <span className="text-ink-soft">
              As of <time dateTime={brief.madeAt.iso}>{brief.madeAt.shown}</time>
            </span>
          </p>
          <div className="flex md:scripts:justify-end">
            <ShareTools title={`${heading}, ${brief.date}`} url={url} />
          </div>
          {notice !== null && <p className="mt-3 text-ink-soft">{notice}</p>}
        </header>
        {content.alerts.length > 0 && (
          <Part id="alerts-of-the-day" title="Alerts">
            <AlertList alerts={content.alerts} />
          </Part>
        )}
        {brief.headlines.length > 0 ? (
          <Headlines headlines={brief.headlines} />
        ) : (
          <GoodToKnowItems items={brief.goodToKnow} signature={signature} />
        )}
        <Events events={brief.events} areEventsToday={brief.areEventsToday} />
        <Meetings meetings={brief.meetings} />
        <Stories stories={brief.stories} />
        {brief.fact && <Fact fact={brief.fact} />}
        {onAir && (
          <Part id="on-air" title="On air">
            <p className="mt-2">
              <strong className="font-semibold">{onAir.station}:</strong> {onAir.text}{" "}
              <Link to="/radio" className="text-link no-print">
                Listen live
              </Link>
            </p>
          </Part>
        )}
        <p className="hidden print:mt-6 print:block print:text-sm/text">{url}</p>
      </article>
      <BriefLinks content={content} />
    </div>
  );
}

export function NoBriefPage({
  heading,
  intro,
  notice,
}: Pick<BriefPageContent, "heading" | "intro" | "notice">) {
  const hasPage = useHasPage();
  return (
    <div className="page pt-[clamp(1.5rem,4vw,3.5rem)]">
      <div className="brief-sheet">
        <h1 className="text-4xl md:text-5xl">{heading}</h1>
        <p className="mt-1 text-center text-ink-soft text-sm/text">{intro}</p>
        <p className="mt-6 text-lg">
          {notice ?? "There is no brief today."} A brief has the headlines of the morning, what is
          on, and what we wrote.
        </p>
        <p className="mt-6 flex flex-wrap gap-x-6">
          {[
            { label: "The newest headlines", to: "/news" },
            { label: "Events", to: "/events" },
            { label: "Our stories", to: "/stories" },
          ]
            .filter(({ to }) => hasPage(to))
            .map(({ label, to }) => (
              <Link key={to} to={to} className="text-link py-1">
                {label}
              </Link>
            ))}
        </p>
      </div>
    </div>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="brief-part">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function Headlines({ headlines }: Pick<Brief, "headlines">) {
  return (
    <Part id="headlines" title="Headlines">
      <ol className="brief-headlines">
        {headlines.map(({ title, link, source, summary, time, paywall }) => (
          <li key={link}>
            <h3>
              <ExternalLink href={link}>
                {title}
                <ExternalLinkIcon />
              </ExternalLink>
            </h3>
            {summary !== "" && <p className="mt-1">{summary}</p>}
            <div className="save-row">
              <p className="my-0.5 block text-ink-soft text-sm/text">
                <span className="font-semibold">{source}</span> ·{" "}
                <time dateTime={time.iso}>{time.shown}</time>
                {paywall && " · Subscription"}
              </p>
              <SaveButton item={{ url: link, title, kind: "headline", source }} />
            </div>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function GoodToKnowItems({ items, signature }: { items: GoodToKnow[]; signature: string }) {
  if (items.length === 0) return null;
  return (
    <Part id="good-to-know" title="Good to know">
      <p className="mt-1 text-ink-soft">
        No new headlines had arrived when this brief was made. These notes are ours.
      </p>
      <ol className="brief-headlines">
        {items.map(({ title, summary, link }) => (
          <li key={title}>
            <h3>{typeof link === "string" ? <Link to={link}>{title}</Link> : title}</h3>
            <p className="my-0.5 block text-ink-soft text-sm/text">
              <span className="font-semibold">{signature}</span>
              {typeof link !== "string" && (
                <>
                  {" · "}
                  <ExternalLink href={link.url} className="text-link">
                    {link.name}
                  </ExternalLink>
                </>
              )}
            </p>
            <p className="mt-1">{summary}</p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Events({ events, areEventsToday }: Pick<Brief, "events" | "areEventsToday">) {
  if (events.length === 0) return null;
  return (
    <Part id="events" title={areEventsToday ? "Events today" : "Coming up"}>
      <ul className="brief-rows">
        {events.map(({ title, path, when, location, isSample, isCanceled }) => (
          <li key={path ?? title}>
            <p className="my-0.5 block text-ink-soft text-sm/text">
              {isCanceled && <span className="mark">Canceled</span>}
              {isSample && <span className="mark">Sample</span>}{" "}
              <span className="font-semibold">{when}</span>
              {location !== "" && ` · ${location}`}
            </p>
            <div className="save-row">
              <h3>{path === null ? title : <Link to={path}>{title}</Link>}</h3>
              {path !== null && <SaveButton item={{ url: path, title, kind: "event" }} />}
            </div>
          </li>
        ))}
      </ul>
      <p className="no-print mt-3">
        <Link to="/events" className="text-link inline-block py-1">
          All events
        </Link>
      </p>
    </Part>
  );
}

function Meetings({ meetings }: Pick<Brief, "meetings">) {
  if (meetings.length === 0) return null;
  return (
    <Part id="meetings" title="Public meetings">
      <ul className="brief-rows">
        {meetings.map(({ title, path, when, time, location, isSample, change }) => (
          <li key={path}>
            <p>
              <span className="font-semibold">{when}:</span>{" "}
              <Link to={path} className="text-link">
                {title}
              </Link>
              {time !== "" && `, ${time}`}
              {location !== "" && <span className="text-ink-soft"> · {location}</span>}{" "}
              {change && <span className="mark">{change}</span>}
              {isSample && <span className="mark">Sample</span>}
            </p>
          </li>
        ))}
      </ul>
      <p className="no-print mt-3">
        <Link to="/meetings" className="text-link inline-block py-1">
          All meetings
        </Link>
      </p>
    </Part>
  );
}

function Stories({ stories }: Pick<Brief, "stories">) {
  if (stories.length === 0) return null;
  return (
    <Part id="newsroom" title="From our newsroom">
      <ul className="brief-rows">
        {stories.map(({ title, path, excerpt, date, isSample, isFromReader }) => (
          <li key={path}>
            <p className="my-0.5 block text-ink-soft text-sm/text">
              {isSample && <span className="mark">Sample</span>}
              {isFromReader && <span className="mark">From a reader</span>} {date}
            </p>
            <h3>
              <Link to={path}>{title}</Link>
            </h3>
            <div className="save-row">
              <p className="mt-1">{excerpt}</p>
              <SaveButton item={{ url: path, title, kind: "story" }} />
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Fact({ fact: { text, link } }: { fact: NonNullable<Brief["fact"]> }) {
  return (
    <Part id="fact" title="Did you know?">
      <p className="mt-3 border-gold border-l-4 pl-5 font-serif text-xl/[1.45]">{text}</p>
      {link && (
        <p className="mt-2">
          <AnyLink to={link.url} className="text-link inline-block py-0.5">
            {link.label}
          </AnyLink>
        </p>
      )}
    </Part>
  );
}

const toNeighbor = (label: string, { day, date }: { day: string; date: string }) => ({
  label,
  title: date,
  to: briefDayPath(day),
});

function BriefLinks({ content }: { content: BriefPageContent }) {
  const { heading, origin, earlier, later } = content;
  return (
    <div className="mx-auto mt-8 max-w-184 no-print">
      <Neighbors
        label="Earlier and later briefs"
        older={earlier && toNeighbor("Earlier brief", earlier)}
        newer={later && toNeighbor("Later brief", later)}
      />
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2">
        <Follow origin={origin} title={heading} feed={{ path: briefFeedPath }} />
        <Link to={briefArchivePath} className="text-link py-1 font-semibold">
          All briefs
        </Link>
        <Link to="/newsletter" className="text-link py-1 font-semibold">
          The newsletter
        </Link>
      </div>
    </div>
  );
}
