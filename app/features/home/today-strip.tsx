import type { ReactNode } from "react";
import { Link } from "react-router";
import { CityImage } from "../../ui/city-image.tsx";
import { NewCount } from "../device/visits/new-count.tsx";
import { NewMark } from "../device/visits/new-mark.tsx";
import { eventsPath } from "../events/model.ts";
import { EventTitles } from "../events/pages/event-titles.tsx";
import { localSection } from "../feeds/model.ts";
import { ShortListRows } from "../feeds/pages/short-list.tsx";
import { StoryFacts } from "../stories/pages/story-facts.tsx";
import type { Today } from "./model.ts";

type Props = { city: string; today: Today };

/** Today's front page: the local headlines, our newest story, the next events and the radio. */
export function TodayStrip({ city, today }: Props) {
  const { day, updated, local, story, events, onAir } = today;
  return (
    <section className="page pt-3" aria-labelledby="today">
      <div className="today-head">
        <h2 id="today" className="text-base/[1.3] text-ink md:text-xl/[1.3]">
          <span className="sr-only">Today in {city}: </span>
          <time dateTime={day.iso}>{day.shown}</time>
        </h2>
        {updated && (
          <p>
            Updated <time dateTime={updated.iso}>{updated.shown}</time>
          </p>
        )}
      </div>
      <div className="today-columns">
        <div className="today-local">
          <div className="flex items-center justify-between gap-4">
            <Label to={`/${localSection}`}>
              {local.kind === "headlines" ? "Local headlines" : "Good to know"}
            </Label>
            <NewCount />
          </div>
          <ShortListRows list={local} titleTag="h4" />
        </div>
        {story && <NewestStory story={story} />}
        <div className="today-rest">
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
          <div className="mt-2 border-line border-t text-note">
            <Label to="/radio">On air now</Label>
            <p>
              <span className="font-semibold">{onAir.station}</span>
              <span className="text-ink-soft"> · {onAir.text}</span>
            </p>
          </div>
          <p className="mt-2 border-line border-t text-note">
            <Link to="/brief" className="text-link inline-block py-1 font-semibold">
              Read the daily brief
            </Link>
          </p>
        </div>
      </div>
    </section>
  );
}

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

function NewestStory({ story }: { story: NonNullable<Today["story"]> }) {
  return (
    <div className="today-story">
      <Label to="/stories">Our newest story</Label>
      <article className="relative flex flex-row-reverse justify-between gap-4 lg:block">
        <CityImage image={story.image} load="later" className="thumb today-image" />
        <div className="min-w-0">
          <StoryFacts story={story} />
          <h4 className="mt-0.5 text-xl/[1.15] lg:text-[1.375rem]/[1.15]">
            <NewMark id={`/news/${story.id}`} time={story.publishedAt} />
            <Link to={`/news/${story.id}`} className="cover-link">
              {story.title}
            </Link>
          </h4>
          <p className="mt-1.5 hidden text-ink-soft text-note lg:line-clamp-3">{story.excerpt}</p>
        </div>
      </article>
    </div>
  );
}
