import { readSharedOr } from "../../../../db/shared-reads.ts";
import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { PageScope, Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { toMeetingSource } from "../import/sources.server.ts";
import { findStoredEventsById, type StoredEvent } from "../import/store.server.ts";
import type { CityEvent, CityInfo, Meeting } from "../listing/city-event.ts";
import { currentEvents, noEvents } from "../listing/current.server.ts";
import { commonFacts, toExcerpt } from "../listing/to-city-event.server.ts";
import {
  type MeetingRecord,
  type MeetingsTexts,
  meetingsFile,
  meetingsFolder,
} from "./files.server.ts";
import { meetingCategory, unknownTime } from "./model.ts";
import { ownSource } from "./own-meetings.server.ts";

export type MeetingLookup = CityInfo &
  Pick<Services, "db"> & {
    now: Date;
    meetingRecords: readonly MeetingRecord[];
    meetingTexts: MeetingsTexts;
  };

/** Code that does not render a page passes the tags of `noPage`. */
export type LookupServices = Pick<Services, "site" | "db" | "clock"> & Pick<PageScope, "tags">;

/** Adds the tag of events to `tags`, which are the cache tags of the page that shows them. */
export function createMeetingLookup({ site, db, clock, tags }: LookupServices): MeetingLookup {
  tags.add(cacheTags.events);
  const { timeZone, city, state, origin } = site.read(siteSettingsFile);
  const [meetingRecords, meetingTexts] = [site.readAll(meetingsFolder), site.read(meetingsFile)];
  return { db, meetingRecords, meetingTexts, now: clock(), timeZone, city, state, origin };
}

const lists = createMemo<Meeting[]>();

/**
 * Returns the meetings of the last weeks and all coming ones, without duplicates, in the order of
 * their start. Samples are included only while there are no other meetings.
 */
export async function listMeetings(lookup: MeetingLookup): Promise<Meeting[]> {
  const { db, meetingRecords: records, meetingTexts: texts, now, timeZone } = lookup;
  const { stored } = await readSharedOr(db, currentEvents(now), noEvents);
  const today = calendarDay(now, timeZone);
  return lists("all", [stored, records, texts, timeZone, today], () => {
    const files = records.map((record) => fromRecord(record, lookup));
    const [own = [], ...imported] = sourceIds(texts).map((id) =>
      stored.filter(({ source }) => source === id).map((row) => toMeeting(row, texts)),
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
  const { db, meetingRecords: records, meetingTexts: texts } = lookup;
  const record = records.find((each) => each.id === id);
  if (record) return fromRecord(record, lookup);
  const current = (await listMeetings(lookup)).find((meeting) => meeting.id === id);
  if (current) return current;
  const [stored] = await findStoredEventsById(db, sourceIds(texts), [id]);
  return stored ? toMeeting(stored, texts) : null;
}

const sourceIds = ({ sources }: MeetingsTexts) => [
  ownSource,
  ...sources.map((source) => toMeetingSource(source).id),
];

/**
 * Two lists that have a meeting of the same body at the same time describe the same meeting. In one
 * list, these are two meetings. Our own entries come first, because they know more than a source.
 */
function withoutDuplicates(lists: Meeting[][]): Meeting[] {
  const seen = new Set<string>();
  const toKey = ({ meeting, startsAt }: Meeting) => `${toSlug(meeting.body)} ${startsAt.getTime()}`;
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

type OwnFacts = "id" | "title" | "startsAt" | "endsAt" | "allDay" | "location" | "text";

/** What all meetings have in common, as events. */
const describeMeeting = (
  facts: Pick<CityEvent, OwnFacts | "link" | "agenda"> & { meeting: Meeting["meeting"] },
): Meeting => ({
  ...commonFacts,
  ...facts,
  series: `meeting:${facts.meeting.body} ${facts.title}`,
  category: meetingCategory,
  free: true,
  excerpt: toExcerpt(facts.text) || facts.title,
  textOverrides: { date: null, time: facts.allDay ? unknownTime : null },
});

function fromRecord(
  { id, front, html }: MeetingRecord,
  { meetingTexts, now, timeZone }: MeetingLookup,
): Meeting {
  const { starts, ends, movedFrom, agenda, minutes, video, link } = front;
  const day = "on" in starts ? starts.on : addDays(calendarDay(now, timeZone), starts.inDays);
  const startsAt = instantAt(day, starts.at, timeZone);
  const endDay = ends !== undefined && ends < starts.at ? addDays(day, 1) : day;
  const body = findBody(front.body, meetingTexts);
  const bodyName = body?.name ?? front.body;
  const meeting = describeMeeting({
    id,
    title: front.title ?? bodyName,
    startsAt,
    endsAt: ends === undefined ? startsAt : instantAt(endDay, ends, timeZone),
    allDay: false,
    location: front.room ?? "",
    text: "",
    link: link ?? null,
    agenda: agenda ?? null,
    meeting: {
      body: bodyName,
      minutes: minutes ?? null,
      video: video ?? null,
      howToSpeak: speakersOf(front) ?? speakersOf(body),
      movedFrom:
        movedFrom?.on !== undefined && movedFrom.at !== undefined
          ? instantAt(movedFrom.on, movedFrom.at, timeZone)
          : null,
      movedFromRoom: movedFrom?.room ?? null,
      firstSeenAt: null,
    },
  });
  const { canceled: isCanceled, sample: isSample } = front;
  return { ...meeting, html: html === "" ? null : html, isCanceled, isSample };
}

/** A meeting of a source or of the desk. */
export function toMeeting(row: StoredEvent, texts: MeetingsTexts): Meeting {
  const { id, startsAt, endsAt, allDay, location, movedFrom, movedFromRoom, firstSeenAt } = row;
  const source = texts.sources.find((each) => toMeetingSource(each).id === row.source);
  const body =
    findBody(source?.body ?? row.title, texts) ??
    (source && source.body === undefined ? findBodyIn(row.title, texts) : undefined);
  const bodyName = source?.body ?? body?.name ?? row.title;
  const { howToSpeak, signUp } = row;
  const meeting = describeMeeting({
    id,
    title: row.subject || (findBody(row.title, texts) ? bodyName : row.title),
    startsAt,
    endsAt,
    allDay,
    location,
    text: row.description,
    link: row.url || null,
    agenda: row.agenda || null,
    meeting: {
      body: bodyName,
      minutes: row.minutes || null,
      video: row.video || null,
      howToSpeak: howToSpeak ? { text: howToSpeak, url: signUp || null } : speakersOf(body),
      movedFrom,
      movedFromRoom,
      firstSeenAt,
    },
  });
  return {
    ...meeting,
    isCanceled: row.cancelled,
    changedAt: row.changedAt,
    source: source ? { name: source.name, url: source.page } : null,
  };
}
