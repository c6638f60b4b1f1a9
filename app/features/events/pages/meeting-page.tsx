import { ExternalLink } from "../../../ui/external-link.tsx";
import { Link } from "../../../ui/link.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { ShareTools } from "../../../ui/share/share-tools.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { MeetingDetails } from "../meetings/describe.server.ts";
import { type HowToSpeak, type MeetingLink, meetingsPath, toBodyQuery } from "../meetings/model.ts";
import { toSavedEvent } from "../model.ts";
import { EventFacts, EventStatus } from "./event-card.tsx";

type Props = { meeting: MeetingDetails; url: string };

export function MeetingPage({ meeting, url }: Props) {
  const { title, path, bodyName, bodySlug, dateLine, timeLine, link, source } = meeting;
  const isComing = !meeting.isPast && !meeting.isCanceled;
  return (
    <article className="page pt-8 lg:pt-10">
      <div className="max-w-2xl">
        <header>
          <p>
            <Link
              to={meetingsPath + toBodyQuery(bodySlug)}
              className="text-link inline-block py-1 font-semibold"
            >
              {bodyName}
            </Link>
          </p>
          <h1 className="wrap-anywhere mt-2 text-4xl md:text-5xl">{title}</h1>
          <EventStatus event={meeting} noun="meeting" />
          {meeting.moved && (
            <p className="mt-4 border-crab border-l-4 pl-3 font-semibold">{meeting.moved}.</p>
          )}
          <EventFacts event={meeting} />
          <DocumentLinks links={meeting.links} title={title} />
          <div className="mt-3">
            <ShareTools
              title={title}
              url={url}
              details={`${dateLine}, ${timeLine}`}
              reportPath={path}
            >
              <SaveButton item={toSavedEvent(meeting)} look="tool" />
            </ShareTools>
          </div>
        </header>
        {meeting.html !== null && <Prose html={meeting.html} />}
        {meeting.text !== "" && (
          <p className="prose wrap-anywhere mt-6 whitespace-pre-line">{meeting.text}</p>
        )}
        <div className="mt-8 space-y-8">
          {meeting.howToSpeak && isComing && <SpeakNote howToSpeak={meeting.howToSpeak} />}
          {isComing && (
            <section className="no-print border-line border-t pt-4">
              <h2 className="text-xl">Add to your calendar</h2>
              <p className="mt-1">
                <a
                  href={`${path}/calendar.ics`}
                  className="text-link inline-block py-1 font-semibold"
                >
                  Calendar file (.ics)<span className="sr-only"> for {title}</span>
                </a>
                , with reminders a day and an hour before.
              </p>
            </section>
          )}
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            {link && (
              <ExternalLink href={link} className="text-link font-semibold">
                Official page of this meeting
              </ExternalLink>
            )}
            {source && (
              <span className="text-ink-soft">
                From{" "}
                <ExternalLink href={source.url} className="text-link">
                  {source.name}
                </ExternalLink>
              </span>
            )}
            <Link to={meetingsPath} className="no-print text-link font-semibold">
              All meetings
            </Link>
          </p>
        </div>
      </div>
    </article>
  );
}

export function DocumentLinks({ links, title }: { links: MeetingLink[]; title: string }) {
  if (links.length === 0) return null;
  return (
    <ul className="relative z-1 mt-1 flex w-fit flex-wrap gap-x-5 text-sm">
      {links.map(({ label, url }) => (
        <li key={label}>
          <ExternalLink href={url} className="text-link inline-block py-1 font-semibold">
            {label}
            <span className="sr-only"> of {title}</span>
          </ExternalLink>
        </li>
      ))}
    </ul>
  );
}

export const SpeakNote = ({ howToSpeak: { text, url } }: { howToSpeak: HowToSpeak }) => (
  <section aria-labelledby="how-to-speak" className="border-gold border-t-4 pt-3">
    <h2 id="how-to-speak" className="text-xl">
      How to speak
    </h2>
    <p className="mt-2 whitespace-pre-line">{text}</p>
    {url && (
      <p className="mt-2">
        <ExternalLink href={url} className="text-link inline-block py-1 font-semibold">
          Sign up to speak
        </ExternalLink>
      </p>
    )}
  </section>
);
