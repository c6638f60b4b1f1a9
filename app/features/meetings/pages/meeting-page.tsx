import { ExternalLink } from "../../../ui/external-link.tsx";
import { CalendarIcon, ClockIcon, PlaceIcon } from "../../../ui/icons.tsx";
import { Link } from "../../../ui/link.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { ShareTools } from "../../../ui/share/share-tools.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { MeetingDetails } from "../listing/describe.server.ts";
import {
  type HowToSpeak,
  type MeetingLink,
  meetingPath,
  meetingsPath,
  toBodyQuery,
  toSavedMeeting,
} from "../model.ts";

type Props = { meeting: MeetingDetails; url: string };

export function MeetingPage({ meeting, url }: Props) {
  const { id, title, bodyName, bodySlug, dateLine, timeLine, location, link, source } = meeting;
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
          <Status meeting={meeting} />
          <ul className="wrap-anywhere mt-4 space-y-1.5 font-medium [&_svg]:mt-0.5 [&_svg]:shrink-0 [&_svg]:text-crab">
            <li className="flex gap-2.5">
              <CalendarIcon />
              {dateLine}
            </li>
            <li className="flex gap-2.5">
              <ClockIcon />
              {timeLine}
            </li>
            {location && (
              <li className="flex gap-2.5">
                <PlaceIcon />
                <span>
                  {location}
                  <br />
                  <ExternalLink href={meeting.mapUrl} className="text-link inline-block py-1">
                    Find it on a map<span className="sr-only">: {location}</span>
                  </ExternalLink>
                </span>
              </li>
            )}
          </ul>
          <DocumentLinks links={meeting.links} title={title} />
          <div className="mt-3">
            <ShareTools
              title={title}
              url={url}
              details={`${dateLine}, ${timeLine}`}
              reportPath={meetingPath(id)}
            >
              <SaveButton item={toSavedMeeting(meeting)} look="tool" />
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
                  href={`${meetingPath(id)}/calendar.ics`}
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

function Status({ meeting: { isSample, isCanceled, isPast, moved } }: Pick<Props, "meeting">) {
  return (
    <>
      {isSample && (
        <p className="mt-4 border-gold border-l-4 pl-3">
          <strong>This is a sample meeting.</strong> It shows what meetings look like here and will
          not take place.
        </p>
      )}
      {isCanceled && (
        <p className="mt-4 border-crab border-l-4 pl-3 font-semibold">
          This meeting has been canceled.
        </p>
      )}
      {moved && <p className="mt-4 border-crab border-l-4 pl-3 font-semibold">{moved}.</p>}
      {isPast && !isCanceled && <p className="mt-4 text-ink-soft">This meeting is over.</p>}
    </>
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
