import { and, eq, ne } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { daysBefore } from "../../../lib/dates.ts";
import {
  conditionalHeaders,
  createSourceMetrics,
  latestVisitTime,
  nextVisitTime,
  type SourceHealth,
  toSourceHealth,
  toVisitResult,
  type Validators,
  type VisitResult,
} from "../../../lib/external/source-visits.server.ts";
import { QueueFull, WorkRefused } from "../../../lib/external/work-refused.ts";
import { errorFields } from "../../../lib/log.ts";
import type { MetricGroup } from "../../../lib/metrics.ts";
import type { Services } from "../../../platform/services.ts";
import type { CalendarResult, ReadFailure } from "./read.server.ts";
import { calendarSources } from "./schema.server.ts";
import { storeOccurrences } from "./store.server.ts";
import { readCalendarInWorker } from "./worker-task.server.ts";

/** A calendar of another organization that we import events from. */
type CalendarSource = { id: string; name: string; url: string };

type CalendarVisitServices = Pick<Services, "db" | "clock" | "fetch" | "log" | "runInWorker"> & {
  userAgent: string;
  timeZone: string;
};
type State = typeof calendarSources.$inferSelect;

const maxBytes = 24 * 1024 * 1024;
/** Calendars rarely change more than a few times a day, so one visit per hour is enough. */
const minIntervalMs = 60 * 60_000;
/**
 * Even an unchanged calendar is read again after this time, because the window that we import moves
 * forward.
 */
const rereadDays = 7;
const noValidators: Validators = { etag: null, lastModified: null, bodyHash: null };

/**
 * Visits every calendar that is due, one after the other. With several nodes, only one of them
 * visits each calendar.
 */
export async function refreshCalendars(
  services: CalendarVisitServices,
  sources: CalendarSource[],
): Promise<void> {
  for (const source of sources) {
    const state = await claimVisit(services.db, source, services.clock());
    if (state === null) continue;
    try {
      await visit(services, source, state);
    } catch (error) {
      // Neither of these says anything about the calendar.
      if (error instanceof QueueFull) {
        await returnClaim(services.db, state);
        continue;
      }
      if (error instanceof WorkRefused) throw error;
      // An unexpected error must not keep the other calendars waiting, and must not lead to another
      // visit every minute.
      services.log.error("calendar.not_stored", { source: source.id, ...errorFields(error) });
      await recordVisit(services.db, state, notStoredResult, null, services.clock());
    }
  }
}

/**
 * Schedules the next visit before this one begins, so that no other node visits the calendar too,
 * and so that a calendar that crashes the process is not visited again right after a restart. Until
 * its result is recorded, the visit counts as a failure, so the backoff grows. Returns null if the
 * calendar is not due.
 */
async function claimVisit(
  db: Database,
  { id, url }: CalendarSource,
  now: Date,
): Promise<State | null> {
  const initialState = {
    url,
    ...noValidators,
    checkedAt: now,
    lastSuccessAt: null,
    readAt: null,
    nextAttemptAt: now,
    failures: 0,
    cause: null,
    detail: null,
    items: 0,
    broken: 0,
  };
  // A new URL means a different calendar, so the state is reset.
  await db
    .insert(calendarSources)
    .values({ id, ...initialState })
    .onConflictDoUpdate({
      target: calendarSources.id,
      set: initialState,
      setWhere: ne(calendarSources.url, url),
    });
  const [state] = await db.select().from(calendarSources).where(eq(calendarSources.id, id));
  const isDue = (time: Date) => time <= now || time > latestVisitTime(now);
  if (!state || !isDue(state.nextAttemptAt)) return null;
  const failures = state.failures + 1;
  const claimed = await db
    .update(calendarSources)
    .set({
      checkedAt: now,
      failures,
      nextAttemptAt: nextVisitTime(now, notStoredResult, failures, Math.random()),
    })
    // Another node may have claimed it meanwhile.
    .where(and(eq(calendarSources.id, id), eq(calendarSources.nextAttemptAt, state.nextAttemptAt)))
    .returning({ id: calendarSources.id });
  return claimed.length > 0 ? state : null;
}

/** Makes a calendar due again. */
async function returnClaim(db: Database, state: State): Promise<void> {
  const { id, checkedAt, failures, nextAttemptAt } = state;
  await db
    .update(calendarSources)
    .set({ checkedAt, failures, nextAttemptAt })
    .where(eq(calendarSources.id, id));
}

async function visit(
  services: CalendarVisitServices,
  source: CalendarSource,
  state: State,
): Promise<void> {
  const { db, clock, fetch, log, userAgent, timeZone, runInWorker } = services;
  const isRecent = state.readAt !== null && state.readAt > daysBefore(clock(), rereadDays);
  const validators = isRecent ? state : noValidators;
  const headers = {
    "User-Agent": userAgent,
    Accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
    ...conditionalHeaders(validators),
  };
  const fetched = await fetch(source.url, { maxBytes, headers });
  const now = clock();
  const visitResult = toVisitResult(fetched, validators, now);
  const calendar =
    visitResult.kind === "new"
      ? await readCalendarInWorker(runInWorker, visitResult.body, { now, timeZone })
      : null;
  if (calendar?.kind === "calendar")
    await storeOccurrences(
      db,
      { source: source.id, now, isComplete: !calendar.isCut },
      calendar.occurrences,
    );
  const outcome = toReadFailure(calendar) ?? visitResult;
  await recordVisit(db, state, outcome, calendar, now);
  if (outcome.kind === "failed")
    log.warn("calendar.failed", {
      source: source.id,
      cause: outcome.cause,
      detail: outcome.detail,
    });
  if (calendar?.kind === "calendar")
    log.info("calendar.read", {
      source: source.id,
      items: calendar.occurrences.length,
      broken: calendar.broken,
    });
}

const notStoredResult: VisitResult = {
  kind: "failed",
  cause: "not-readable",
  detail: "could not be stored",
  waitMs: null,
};

function toReadFailure(calendar: CalendarResult | ReadFailure | null): ReadFailure | null {
  if (calendar?.kind === "failed") return calendar;
  if (calendar?.kind !== "not-a-calendar") return null;
  return {
    kind: "failed",
    cause: "not-readable",
    detail: "the response is not a calendar",
    waitMs: null,
  };
}

async function recordVisit(
  db: Database,
  state: State,
  visitResult: VisitResult,
  calendar: CalendarResult | ReadFailure | null,
  now: Date,
): Promise<void> {
  const failures = visitResult.kind === "failed" ? state.failures + 1 : 0;
  const pacedResult =
    visitResult.kind === "failed"
      ? visitResult
      : { ...visitResult, waitMs: Math.max(visitResult.waitMs, minIntervalMs) };
  await db
    .update(calendarSources)
    .set({
      checkedAt: now,
      failures,
      nextAttemptAt: nextVisitTime(now, pacedResult, failures, Math.random()),
      ...(visitResult.kind === "failed"
        ? { cause: visitResult.cause, detail: visitResult.detail }
        : successColumns(visitResult.visit, now)),
      ...(calendar?.kind === "calendar"
        ? { readAt: now, items: calendar.occurrences.length, broken: calendar.broken }
        : {}),
    })
    // The URL may have changed during the visit. In that case, the result is about a different
    // calendar.
    .where(and(eq(calendarSources.id, state.id), eq(calendarSources.url, state.url)));
}

/**
 * Returns the columns that change after a successful visit. They are listed one by one, because at
 * runtime the first argument may be a complete row of the table.
 */
function successColumns({ etag, lastModified, bodyHash }: Validators, now: Date) {
  return { etag, lastModified, bodyHash, cause: null, detail: null, lastSuccessAt: now };
}

export async function calendarHealth(
  db: Database,
  sources: CalendarSource[],
): Promise<SourceHealth[]> {
  const states = await db.select().from(calendarSources);
  return sources.map(({ id, name, url }) =>
    toSourceHealth(
      { id, name, sections: ["events"] },
      states.find((each) => each.id === id && each.url === url),
    ),
  );
}

export const calendarMetrics = (
  { db, clock }: Pick<Services, "db" | "clock">,
  sources: () => CalendarSource[],
): MetricGroup => ({
  name: "calendars",
  read: async () => createSourceMetrics("calendar", await calendarHealth(db, sources()), clock()),
});
