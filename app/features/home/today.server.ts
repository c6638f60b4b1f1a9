import {
  calendarDay,
  clockTime,
  formatByZone,
  instantAt,
  nextMidnight,
  writtenInstant,
} from "../../lib/dates.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { findRecentBrief } from "../brief/read.server.ts";
import { readComingEvents, todayFilter } from "../events/listing/coming.server.ts";
import { readLocalShortList } from "../feeds/listing/blocks.server.ts";
import type { Report, ShortList } from "../feeds/model.ts";
import { describeOnAir } from "../radio/schedule/on-air.server.ts";
import { type StoryRecord, toCard } from "../stories/record.server.ts";
import { isDatedByDay } from "../stories/stories.server.ts";
import { readWeatherLine } from "../weather/report.server.ts";
import type { Today } from "./model.ts";

const eventCount = 2;

export async function readToday(services: PageServices, story: StoryRecord | null): Promise<Today> {
  const { site, clock, expireAt } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const today = calendarDay(now, timeZone);
  expireAt(nextMidnight(now, timeZone));
  const [brief, weather, { list, alsoReportedBy, changedAt }, events] = await Promise.all([
    findRecentBrief(services, today),
    readWeatherLine(services),
    readLocalShortList(services, story),
    readComingEvents(services, todayFilter, eventCount),
  ]);
  const changes = [
    ...(changedAt ? [{ at: changedAt, hasTime: true }] : []),
    ...(story ? [{ at: story.publishedAt, hasTime: isTimeKnown(story) }] : []),
    ...(story?.updated
      ? [{ at: writtenInstant(story.updated, timeZone), hasTime: story.updated.includes(":") }]
      : []),
    // The good-to-know items change every day.
    ...(list.kind === "good-to-know"
      ? [{ at: instantAt(today, "00:00", timeZone), hasTime: false }]
      : []),
  ];
  return {
    day: { iso: today, shown: formats.dateline(timeZone).format(now) },
    brief,
    weather,
    // A file can already say when its story will be updated.
    updated: showLastChange(
      changes.filter(({ at }) => at <= now),
      now,
      timeZone,
    ),
    ...pickLead(story, list, alsoReportedBy),
    events,
    onAir: describeOnAir(services),
  };
}

/** The lead is our story or, if there is none, the first headline or good-to-know item. */
function pickLead(
  story: StoryRecord | null,
  list: ShortList,
  alsoReportedBy: Report[],
): Pick<Today, "lead" | "alsoReportedBy" | "local"> {
  if (story) return { lead: { kind: "story", story: toCard(story) }, alsoReportedBy, local: list };
  if (list.kind === "headlines") {
    const [headline, ...headlines] = list.headlines;
    const lead = headline ? { kind: "headline" as const, headline } : null;
    return { lead, alsoReportedBy: headline?.also ?? [], local: { ...list, headlines } };
  }
  const [item, ...items] = list.items;
  const lead = item ? { kind: list.kind, item, signature: list.signature } : null;
  return { lead, alsoReportedBy: [], local: { ...list, items } };
}

/** Whether the moment of publication is known, and not only the day. */
const isTimeKnown = (story: StoryRecord) => !isDatedByDay(story) || story.publishedAt > story.dueAt;

const formats = {
  dateline: formatByZone({ weekday: "long", month: "long", day: "numeric", year: "numeric" }),
  day: formatByZone({ month: "short", day: "numeric" }),
};

/**
 * The last of these changes: "10:02 AM" today, "Nov 14, 10:02 AM" earlier. It depends only on the
 * content, so every render of the same content shows the same time.
 */
function showLastChange(
  changes: { at: Date; hasTime: boolean }[],
  now: Date,
  timeZone: string,
): Today["updated"] {
  const [last] = changes.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  if (!last) return null;
  const { at, hasTime } = last;
  const isToday = calendarDay(at, timeZone) === calendarDay(now, timeZone);
  // The dateline already says today's date.
  if (isToday && !hasTime) return null;
  const shownDay = isToday ? [] : [formats.day(timeZone).format(at)];
  const shownTime = hasTime ? [clockTime(at, timeZone)] : [];
  const iso = hasTime ? at.toISOString() : calendarDay(at, timeZone);
  return { iso, shown: [...shownDay, ...shownTime].join(", ") };
}
