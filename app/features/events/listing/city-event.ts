import { toQueryString } from "../../../lib/links/query.ts";
import type { Image } from "../../../site-files/site-fields.server.ts";
import { type HowToSpeak, meetingPath } from "../meetings/model.ts";
import { eventsPath } from "../model.ts";

/**
 * One date of an event or a public meeting from any source: one of our files, an imported calendar,
 * a reader or an editor.
 */
export type CityEvent = {
  id: string;
  /** Null for everything but a public meeting, which has its page under /meetings. */
  meeting: MeetingFacts | null;
  /** Shared by all dates of a series, and unique to that series. */
  series: string;
  isSeries: boolean;
  /** The day in the path of a date that follows the next one of its series, such as 2026-12-17. */
  day: string | null;
  /** How often its series repeats, such as "Every Thursday". Null without further dates. */
  repeats: string | null;
  title: string;
  excerpt: string;
  html: string | null;
  text: string;
  location: string;
  category: string;
  free: boolean;
  /** What admission costs, such as "$12", if it is known and not free. */
  price: string | null;
  startsAt: Date;
  /**
   * For an all-day event, midnight after its last day. Equal to `startsAt` if the end is unknown.
   */
  endsAt: Date;
  allDay: boolean;
  image: Image | null;
  isSample: boolean;
  isCanceled: boolean;
  /** When the content of the event's page last changed, if that is known. */
  changedAt: Date | null;
  source: { name: string; url: string } | null;
  link: string | null;
  agenda: string | null;
  /** Text that is shown in place of the date or the time. */
  textOverrides: { date: string | null; time: string | null };
};

type MeetingFacts = {
  body: string;
  minutes: string | null;
  video: string | null;
  howToSpeak: HowToSpeak | null;
  /** When and where the meeting was first planned, if it was moved. */
  movedFrom: Date | null;
  movedFromRoom: string | null;
  /** When we learned of the meeting, if that is known. */
  firstSeenAt: Date | null;
};

/** Its `allDay` means that only its date is known. */
export type Meeting = CityEvent & { meeting: MeetingFacts };

export const isMeeting = (event: CityEvent): event is Meeting => event.meeting !== null;

type PathParts = Pick<CityEvent, "id" | "meeting" | "day">;

export const eventPath = ({ id, meeting, day }: PathParts): string =>
  meeting ? meetingPath(id) : `${eventsPath}/${id}${toQueryString({ day })}`;

export type CityInfo = {
  timeZone: string;
  city: string;
  state?: string | undefined;
  origin: string;
};
