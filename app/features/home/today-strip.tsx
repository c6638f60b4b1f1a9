import type { ReactNode } from "react";
import { CityImage } from "../../ui/city-image.tsx";
import { ExternalLinks } from "../../ui/external-link.tsx";
import { useHasPage } from "../../ui/hooks/use-has-page.ts";
import { Link } from "../../ui/link.tsx";
import { NewCount, NewMark } from "../device/visits/new-mark.tsx";
import { eventsPath } from "../events/model.ts";
import { EventTitles } from "../events/pages/event-titles.tsx";
import { localSection, type Report } from "../feeds/model.ts";
import {
  GoodToKnowRow,
  HeadlineRow,
  isEmptyList,
  ShortListRows,
} from "../feeds/pages/headline-list.tsx";
import { type StoryCard, storyPath } from "../stories/model.ts";
import { StoryFacts } from "../stories/pages/story-entry.tsx";
import type { Lead, Today } from "./model.ts";

type Props = { city: string; today: Today };

/**
 * Today's front page: one lead, the local headlines, the next events and the radio. The brief comes
 * first, for readers who have only two minutes.
 */
export function TodayStrip({ city, today }: Props) {
  const { day, weather, brief, updated, lead, alsoReportedBy, local, events, onAir } = today;
  const hasEvents = useHasPage()(eventsPath);
  return (
    <section className="page pt-3" aria-labelledby="today">
      <div className="today-head">
        <h2 id="today" className="text-base/[1.3] text-ink md:text-xl/[1.3]">
          <span className="sr-only">Today in {city}: </span>
          <time dateTime={day.iso}>{day.shown}</time>
        </h2>
        {weather && (
          <p className="leading-7">
            <Link to="/weather" className="text-link">
              <span className="sr-only">Weather: </span>
              {weather}
            </Link>
          </p>
        )}
        {brief && (
          <p>
            <Link to="/brief" className="text-link font-semibold">
              Two minutes: {brief}’s brief
            </Link>
          </p>
        )}
        {updated && (
          <p>
            Updated <time dateTime={updated.iso}>{updated.shown}</time>
          </p>
        )}
      </div>
      <div className="today-columns">
        {lead && (
          <div className="today-lead">
            <LeadItem lead={lead} />
            {alsoReportedBy.length > 0 && <AlsoReportedBy reports={alsoReportedBy} />}
          </div>
        )}
        {!isEmptyList(local) && (
          <div className="today-local">
            <div className="flex items-center justify-between gap-4">
              <Label to={`/${localSection}`}>
                {lead?.kind === "good-to-know"
                  ? "More good to know"
                  : local.kind === "headlines"
                    ? "Local headlines"
                    : "Good to know"}
              </Label>
              <NewCount />
            </div>
            <ShortListRows list={local} titleTag="h4" />
          </div>
        )}
        {(hasEvents || onAir) && (
          <div className="mt-3 border-ink-soft border-t lg:grid lg:grid-cols-2 lg:gap-x-8">
            {hasEvents && <NextEvents events={events} />}
            {onAir && (
              <div className="mt-2 border-line border-t lg:mt-0 lg:border-t-0">
                <Label to="/radio">On air now</Label>
                <p className="text-note">
                  <span className="font-semibold">{onAir.station}</span>
                  <span className="text-ink-soft"> · {onAir.text}</span>
                </p>
              </div>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

const NextEvents = ({ events }: Pick<Today, "events">) => (
  <div>
    <Label to={eventsPath}>Still to come today</Label>
    {events.length > 0 ? (
      <EventTitles events={events} isOneDay titleTag="h4" />
    ) : (
      <p className="text-ink-soft text-note">
        Nothing more is announced for today.{" "}
        <Link to={eventsPath} className="text-link">
          See what is coming up
        </Link>
      </p>
    )}
  </div>
);

/** The label is a link, because readers want more of what they see. */
function Label({ to, children }: { to: string; children: ReactNode }) {
  return (
    <h3 className="font-sans text-crab text-sm/normal tracking-normal">
      <Link to={to} className="title-block-link">
        {children}
      </Link>
    </h3>
  );
}

function LeadItem({ lead }: { lead: Lead }) {
  switch (lead.kind) {
    case "story":
      return <LeadStory story={lead.story} />;
    case "headline":
      return (
        <ul className="title-list today-type [&_.text-sm]:line-clamp-2 [&_.text-sm]:text-lg">
          {/* `also` is empty, because the other newsrooms are listed below. */}
          <HeadlineRow headline={{ ...lead.headline, also: [] }} isBrief={false} />
        </ul>
      );
    case "good-to-know":
      return (
        <>
          <p className="font-semibold text-crab text-sm">Good to know</p>
          <ul className="title-list today-type [&_.text-sm]:line-clamp-2 [&_.text-sm]:text-lg">
            <GoodToKnowRow item={lead.item} signature={lead.signature} isBrief={false} />
          </ul>
        </>
      );
  }
}

function LeadStory({ story }: { story: StoryCard }) {
  return (
    <article className="today-story relative">
      <div>
        <StoryFacts story={story} />
        <h3 className="mt-1 text-3xl/[1.1] xl:text-5xl/[1.05]">
          <NewMark id={storyPath(story.slug)} time={story.publishedAt} />
          <Link to={storyPath(story.slug)} className="cover-link">
            {story.title}
          </Link>
        </h3>
        <p className="mt-2 text-ink-soft">{story.excerpt}</p>
      </div>
      <CityImage image={story.image} load="first" sizes="lead" className="today-image" />
    </article>
  );
}

const AlsoReportedBy = ({ reports }: { reports: Report[] }) => (
  <p className="today-also mt-3 text-ink-soft text-sm">
    Also reported by{" "}
    <ExternalLinks links={reports.map(({ source, link }) => ({ name: source, url: link }))} />
  </p>
);
