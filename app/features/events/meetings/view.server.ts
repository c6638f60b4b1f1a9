import { calendarDay, daysBefore, nextMidnight } from "../../../lib/dates.ts";
import { requireCanonicalUrl } from "../../../lib/links/canonical-url.server.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { PageServices } from "../../../platform/services.ts";
import type { Meeting } from "../listing/city-event.ts";
import { isOver, overAt } from "../listing/describe.server.ts";
import { showDay, toMeetingItem } from "./describe.server.ts";
import {
  createMeetingLookup,
  listMeetings,
  type MeetingLookup,
  speakersOf,
} from "./gather.server.ts";

const maxComing = 100;
/** Past meetings are listed for as long as people look for their minutes. */
const recentDays = 31;
const maxRecent = 30;

/** The meetings of one body, or all. An unknown body leads to the page without a filter. */
export async function loadMeetings(services: PageServices, url: URL) {
  const lookup = createMeetingLookup(services);
  const all = await listMeetings(lookup);
  const slug = url.searchParams.get("body");
  const bodies = listBodies(all, lookup);
  const body = bodies.find((each) => each.slug === slug) ?? null;
  requireCanonicalUrl(url, { body: body?.slug ?? null });
  const shown = body ? all.filter(({ meeting }) => toSlug(meeting.body) === body.slug) : all;
  services.expireAt(nextMidnight(lookup.now, lookup.timeZone));
  for (const meeting of all) services.expireAt(overAt(meeting));
  return { lookup, bodies, body, meetings: shown };
}

/** The bodies that have meetings, and those of meetings.yaml, in the order of their names. */
function listBodies(all: Meeting[], { meetingTexts: { bodies }, now }: MeetingLookup) {
  const names = [...bodies.map(({ name }) => name), ...all.map(({ meeting }) => meeting.body)];
  const bySlug = new Map(names.map((name) => [toSlug(name), name]));
  const coming = Map.groupBy(
    all.filter((meeting) => !isOver(meeting, now)),
    ({ meeting }) => toSlug(meeting.body),
  );
  return [...bySlug]
    .map(([slug, name]) => ({ slug, name, count: coming.get(slug)?.length ?? 0 }))
    .filter(({ slug }) => slug !== "")
    .sort((one, other) => one.name.localeCompare(other.name));
}

export async function loadMeetingsView(services: PageServices, url: URL) {
  const { lookup, bodies, body, meetings } = await loadMeetings(services, url);
  const { meetingTexts: texts, now } = lookup;
  const { title, description, heading, intro, sources } = texts;
  const coming = meetings.filter((meeting) => !isOver(meeting, now));
  const past = meetings
    .filter((meeting) => isOver(meeting, now) && meeting.startsAt > daysBefore(now, recentDays))
    .reverse();
  const config = texts.bodies.find(({ name }) => name === body?.name);
  return {
    head: { title, description, heading, intro },
    bodies,
    body,
    howToSpeak: speakersOf(config),
    days: toDays(coming.slice(0, maxComing), lookup),
    moreCount: Math.max(0, coming.length - maxComing),
    recent: toDays(past.slice(0, maxRecent), lookup),
    sources: sources.map(({ name, page }) => ({ name, url: page })),
    hasSamples: meetings.some(({ isSample }) => isSample),
  };
}

export type MeetingsView = Awaited<ReturnType<typeof loadMeetingsView>>;

function toDays(list: Meeting[], { timeZone, now }: MeetingLookup) {
  const today = calendarDay(now, timeZone);
  const byDay = Map.groupBy(list, ({ startsAt }) => calendarDay(startsAt, timeZone));
  return [...byDay].map(([day, meetings]) => {
    const [first] = meetings;
    const heading = first ? showDay(first.startsAt, now, timeZone) : day;
    return {
      day,
      heading: day === today ? `Today, ${heading}` : heading,
      items: meetings.map((meeting) => toMeetingItem(meeting, timeZone)),
    };
  });
}
