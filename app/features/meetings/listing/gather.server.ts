import { asc, gte } from "drizzle-orm";
import { readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { addDays, calendarDay, daysBefore, instantAt } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { PageScope, Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  type MeetingRecord,
  type MeetingsTexts,
  meetingsFile,
  meetingsFolder,
} from "../files.server.ts";
import { findStoredMeeting, type StoredMeeting } from "../import/store.server.ts";
import type { HowToSpeak } from "../model.ts";
import { ownSource } from "../own-meetings.server.ts";
import { meetings } from "../schema.server.ts";

/** Few pages show meetings that ended earlier than this. */
const cachedDaysBack = 62;
const maxCached = 5_000;

/** The stored meetings of the last weeks and all coming ones. */
export const currentMeetings = (now: Date): SharedRead<StoredMeeting[]> => ({
  name: "meetings",
  tags: [cacheTags.meetings],
  load: (db) =>
    db
      .select()
      .from(meetings)
      .where(gte(meetings.endsAt, daysBefore(now, cachedDaysBack)))
      .orderBy(asc(meetings.startsAt), asc(meetings.id))
      .limit(maxCached),
});

const noMeetings: StoredMeeting[] = [];

export type MeetingLookup = Pick<Services, "db"> & {
  records: readonly MeetingRecord[];
  texts: MeetingsTexts;
  now: Date;
  timeZone: string;
  city: string;
  origin: string;
};

/** Code that does not render a page passes the tags of `noPage`. */
export type LookupServices = Pick<Services, "site" | "db" | "clock"> & Pick<PageScope, "tags">;

/** Adds the tag of meetings to `tags`, which are the cache tags of the page that shows them. */
export function createMeetingLookup({ site, db, clock, tags }: LookupServices): MeetingLookup {
  tags.add(cacheTags.meetings);
  const { timeZone, city, origin } = site.read(siteSettingsFile);
  const [records, texts] = [site.readAll(meetingsFolder), site.read(meetingsFile)];
  return { db, records, texts, now: clock(), timeZone, city, origin };
}

const lists = createMemo<Meeting[]>();

/**
 * Returns the meetings of the last weeks and all coming ones, without duplicates, in the order of
 * their start. Samples are included only while there are no other meetings.
 */
export async function listMeetings(lookup: MeetingLookup): Promise<Meeting[]> {
  const { db, records, texts, now, timeZone } = lookup;
  const stored = await readSharedOr(db, currentMeetings(now), noMeetings);
  const today = calendarDay(now, timeZone);
  return lists("all", [stored, records, texts, timeZone, today], () => {
    const files = records.map((record) => fromRecord(record, lookup));
    const [own = [], ...imported] = sourceIds(texts).map((id) =>
      stored.filter(({ source }) => source === id).map((meeting) => fromStored(meeting, texts)),
    );
    // Samples go first, so that a sample never replaces a meeting of a source.
    const realFiles = files.filter(({ isSample }) => !isSample);
    const real = withoutDuplicates([[...realFiles, ...own], ...imported]);
    return (real.length > 0 ? real : files).sort(
      (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
    );
  });
}

export async function findMeeting(lookup: MeetingLookup, id: string): Promise<Meeting | null> {
  const { db, records, texts } = lookup;
  const record = records.find((each) => each.id === id);
  if (record) return fromRecord(record, lookup);
  const current = (await listMeetings(lookup)).find((meeting) => meeting.id === id);
  if (current) return current;
  const [stored] = await findStoredMeeting(db, sourceIds(texts), id);
  return stored ? fromStored(stored, texts) : null;
}

const sourceIds = ({ sources }: MeetingsTexts) => [ownSource, ...sources.map(({ id }) => id)];

/**
 * Two lists that have a meeting of the same body at the same time describe the same meeting. In one
 * list, these are two meetings. Our own entries come first, because they know more than a source.
 */
function withoutDuplicates(lists: Meeting[][]): Meeting[] {
  const seen = new Set<string>();
  const toKey = ({ body, startsAt }: Meeting) => `${toSlug(body)} ${startsAt.getTime()}`;
  return lists.flatMap((list) => {
    const others = list.filter((meeting) => !seen.has(toKey(meeting)));
    for (const meeting of others) seen.add(toKey(meeting));
    return others;
  });
}

type Body = MeetingsTexts["bodies"][number];

const findBody = (name: string, { bodies }: MeetingsTexts): Body | undefined =>
  bodies.find((body) => [body.name, ...body.aliases].some((each) => toSlug(each) === toSlug(name)));

/** The body whose name is part of the title of a calendar entry. */
const findBodyIn = (title: string, { bodies }: MeetingsTexts): Body | undefined =>
  bodies.find((body) =>
    [body.name, ...body.aliases].some((each) => `-${toSlug(title)}-`.includes(`-${toSlug(each)}-`)),
  );

export const speakersOf = (written: Pick<Body, "howToSpeak" | "signUp"> | undefined) =>
  written?.howToSpeak === undefined
    ? null
    : { text: written.howToSpeak, url: written.signUp ?? null };

function fromRecord(
  { id, front, html }: MeetingRecord,
  { texts, now, timeZone }: MeetingLookup,
): Meeting {
  const { starts, ends, movedFrom, agenda, minutes, video, link } = front;
  const day = "on" in starts ? starts.on : addDays(calendarDay(now, timeZone), starts.inDays);
  const startsAt = instantAt(day, starts.at, timeZone);
  const endDay = ends !== undefined && ends < starts.at ? addDays(day, 1) : day;
  const body = findBody(front.body, texts);
  return {
    id,
    body: body?.name ?? front.body,
    title: front.title ?? body?.name ?? front.body,
    startsAt,
    endsAt: ends === undefined ? startsAt : instantAt(endDay, ends, timeZone),
    allDay: false,
    location: front.room ?? "",
    agenda: agenda ?? null,
    minutes: minutes ?? null,
    video: video ?? null,
    link: link ?? null,
    html: html === "" ? null : html,
    text: "",
    howToSpeak: speakersOf(front) ?? speakersOf(body),
    isCanceled: front.canceled,
    movedFrom:
      movedFrom?.on !== undefined && movedFrom.at !== undefined
        ? instantAt(movedFrom.on, movedFrom.at, timeZone)
        : null,
    movedFromRoom: movedFrom?.room ?? null,
    isSample: front.sample,
    source: null,
    firstSeenAt: null,
    changedAt: null,
  };
}

export function fromStored(meeting: StoredMeeting, texts: MeetingsTexts): Meeting {
  const { id, name, text, location, startsAt, endsAt, allDay, movedFrom, movedFromRoom } = meeting;
  const source = texts.sources.find((each) => each.id === meeting.source);
  const body =
    findBody(source?.body ?? name, texts) ??
    (source && source.body === undefined ? findBodyIn(name, texts) : undefined);
  const bodyName = source?.body ?? body?.name ?? name;
  const { howToSpeak, signUp } = meeting;
  return {
    id,
    body: bodyName,
    title: meeting.title || (findBody(name, texts) ? bodyName : name),
    startsAt,
    endsAt,
    allDay,
    location,
    agenda: meeting.agenda || null,
    minutes: meeting.minutes || null,
    video: meeting.video || null,
    link: meeting.link || null,
    html: null,
    text,
    howToSpeak: howToSpeak ? { text: howToSpeak, url: signUp || null } : speakersOf(body),
    isCanceled: meeting.canceled,
    movedFrom,
    movedFromRoom,
    isSample: false,
    source: source ? { name: source.name, url: source.page } : null,
    firstSeenAt: meeting.firstSeenAt,
    changedAt: meeting.changedAt,
  };
}

/** A meeting from any origin: a file, an editor or an imported source. */
export type Meeting = {
  id: string;
  body: string;
  title: string;
  startsAt: Date;
  /** Equal to `startsAt` if the end is not known. */
  endsAt: Date;
  /** Whether only the date is known. */
  allDay: boolean;
  location: string;
  agenda: string | null;
  minutes: string | null;
  video: string | null;
  link: string | null;
  html: string | null;
  text: string;
  howToSpeak: HowToSpeak | null;
  isCanceled: boolean;
  movedFrom: Date | null;
  movedFromRoom: string | null;
  isSample: boolean;
  source: { name: string; url: string } | null;
  /** When we learned of the meeting, if that is known. */
  firstSeenAt: Date | null;
  changedAt: Date | null;
};
