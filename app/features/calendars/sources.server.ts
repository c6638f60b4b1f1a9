import { inArray } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { errorFields, type Log } from "../../lib/log.ts";
import {
  causes,
  conditional,
  nextTry,
  readVisit,
  type SourceHealth,
  type Visit,
  type Visited,
} from "../../lib/polite.server.ts";
import type { SafeFetch } from "../../lib/safe-fetch.server.ts";
import { type CalendarRead, readCalendar } from "./read.server.ts";
import { calendarSources } from "./schema.server.ts";
import { storeOccurrences } from "./store.server.ts";

/** A calendar of somebody else's that the city's page takes events from. */
export type CalendarSource = { id: string; name: string; url: string };

type Tools = {
  db: Database;
  clock: Clock;
  fetch: SafeFetch;
  log: Log;
  userAgent: string;
  timeZone: string;
};
type State = typeof calendarSources.$inferSelect;

const maxBytes = 24 * 1024 * 1024;
/** Calendars change by the day, not by the minute. */
const usualMs = 60 * 60_000;
/** An unchanged calendar is read anew now and then all the same: the year that we look ahead moves on. */
const readAgainDays = 7;
const nothingKnown: Visit = { etag: null, lastModified: null, bodyHash: null };

/** Visits every calendar whose time has come, one after the other. */
export async function refreshCalendars(tools: Tools, sources: CalendarSource[]): Promise<void> {
  if (sources.length === 0) return;
  const ids = sources.map(({ id }) => id);
  const known = await tools.db.select().from(calendarSources).where(inArray(calendarSources.id, ids));
  for (const source of sources) {
    // Under another address it is another calendar.
    const state = known.find(({ id, url }) => id === source.id && url === source.url) ?? null;
    if (state !== null && state.nextTryAt > tools.clock()) continue;
    try {
      await visit(tools, source, state);
    } catch (error) {
      // One calendar that surprises us must not keep the others waiting, nor be asked again every minute.
      tools.log.error("calendar.not_kept", { source: source.id, ...errorFields(error) });
      await record(tools.db, source, state, notKept, null, tools.clock());
    }
  }
}

async function visit(tools: Tools, source: CalendarSource, state: State | null): Promise<void> {
  const { db, clock, fetch, log, userAgent, timeZone } = tools;
  const isRecent = state?.readAt != null && state.readAt > daysBefore(clock(), readAgainDays);
  const before = isRecent ? state : nothingKnown;
  const headers = {
    "User-Agent": userAgent,
    Accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
    ...conditional(before),
  };
  const fetched = await fetch(source.url, { maxBytes, headers });
  const now = clock();
  const visited = readVisit(fetched, before, now);
  const read = visited.kind === "new" ? await readCalendar(visited.body, { now, timeZone }) : null;
  if (read?.kind === "calendar")
    await storeOccurrences(db, { source: source.id, now, isWhole: !read.isCut }, read.occurrences);
  const outcome = notRead(read) ?? visited;
  await record(db, source, state, outcome, read, now);
  if (outcome.kind === "failed")
    log.warn("calendar.failed", { source: source.id, cause: outcome.cause, detail: outcome.detail });
  if (read?.kind === "calendar")
    log.info("calendar.read", { source: source.id, items: read.occurrences.length, broken: read.broken });
}

const notKept: Visited = { kind: "failed", cause: "not-readable", detail: "could not be kept", waitMs: null };

function notRead(read: CalendarRead | null): Extract<Visited, { kind: "failed" }> | null {
  if (read?.kind !== "not-a-calendar") return null;
  return {
    kind: "failed",
    cause: "not-readable",
    detail: "answered with something that is no calendar",
    waitMs: null,
  };
}

async function record(
  db: Database,
  { id, url }: CalendarSource,
  state: State | null,
  visited: Visited,
  read: CalendarRead | null,
  now: Date,
): Promise<void> {
  const failures = visited.kind === "failed" ? (state?.failures ?? 0) + 1 : 0;
  const unhurried =
    visited.kind === "failed" ? visited : { ...visited, waitMs: Math.max(visited.waitMs, usualMs) };
  const next = {
    ...{ id, url, checkedAt: now, failures, nextTryAt: nextTry(now, unhurried, failures, Math.random()) },
    ...{ items: state?.items ?? 0, broken: state?.broken ?? 0 },
    ...(visited.kind === "failed"
      ? { cause: visited.cause, detail: visited.detail }
      : { ...visited.visit, cause: null, detail: null, goodAt: now }),
    ...(read?.kind === "calendar"
      ? { readAt: now, items: read.occurrences.length, broken: read.broken }
      : {}),
  };
  // What was learnt under another address is forgotten with it.
  const set = state ? next : { ...nothingKnown, goodAt: null, readAt: null, ...next };
  await db.insert(calendarSources).values(next).onConflictDoUpdate({ target: calendarSources.id, set });
}

export async function calendarHealth(db: Database, sources: CalendarSource[]): Promise<SourceHealth[]> {
  const states = await db.select().from(calendarSources);
  return sources.map(({ id, name, url }) => {
    const state = states.find((each) => each.id === id && each.url === url);
    const key = state?.cause ?? null;
    return {
      ...{ id, name, sections: ["events"], items: state?.items ?? 0, causeKey: key },
      state: state ? (key ? "failing" : "good") : "not-asked-yet",
      cause: key && `${causes[key]}${state?.detail ? ` (${state.detail})` : ""}`,
      lastSuccess: state?.goodAt ?? null,
      lastTry: state?.checkedAt ?? null,
      nextTry: state?.nextTryAt ?? null,
    };
  });
}
