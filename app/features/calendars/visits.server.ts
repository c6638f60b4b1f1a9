import { and, eq, ne } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { daysBefore } from "../../lib/dates.ts";
import {
  conditionalHeaders,
  latestVisitTime,
  nextVisitTime,
  type SourceHealth,
  toSourceHealth,
  toVisitResult,
  type Validators,
  type VisitResult,
} from "../../lib/external/source-visits.server.ts";
import { QueueFull, WorkRefused } from "../../lib/external/work-refused.ts";
import { errorFields } from "../../lib/log.ts";
import type { Services } from "../../platform/services.ts";
import type { ReadFailure } from "./read/read.server.ts";
import { calendarSources } from "./schema.server.ts";

/** Another organization's server that we import dates from. */
export type DateSource = { id: string; name: string; url: string };

export type VisitServices = Pick<Services, "db" | "clock" | "fetch" | "log" | "runInWorker"> & {
  userAgent: string;
  timeZone: string;
};

/** How the documents of a kind of source are requested, read and stored. */
export type SourceReader<Source> = {
  accept: string;
  /** The URL to request, if it depends on the date. */
  requestUrl?(source: Source, now: Date): string;
  /** Reads a document in a worker, and stores what it contains. */
  store(
    source: Source,
    body: Uint8Array,
    now: Date,
  ): Promise<{ kind: "stored"; items: number; broken: number } | ReadFailure>;
};

type State = typeof calendarSources.$inferSelect;

const maxBytes = 24 * 1024 * 1024;
/** Sources rarely change more than a few times a day, so one visit per hour is enough. */
const minIntervalMs = 60 * 60_000;
/**
 * Even an unchanged document is read again after this time, because the window that we import moves
 * forward.
 */
const rereadDays = 7;
const noValidators: Validators = { etag: null, lastModified: null, bodyHash: null };

/**
 * Visits every source that is due, one after the other. With several nodes, only one of them
 * visits each source.
 */
export async function visitSources<Source extends DateSource>(
  services: VisitServices,
  sources: Source[],
  reader: SourceReader<Source>,
): Promise<void> {
  for (const source of sources) {
    const state = await claimVisit(services.db, source, services.clock());
    if (state === null) continue;
    try {
      await visit(services, source, state, reader);
    } catch (error) {
      // Neither of these says anything about the source.
      if (error instanceof QueueFull) {
        await returnClaim(services.db, state);
        continue;
      }
      if (error instanceof WorkRefused) throw error;
      // An unexpected error must not keep the other sources waiting, and must not lead to another
      // visit every minute.
      services.log.error("calendar.not_stored", { source: source.id, ...errorFields(error) });
      await recordVisit(services.db, state, notStoredResult, null, services.clock());
    }
  }
}

/**
 * Schedules the next visit before this one begins, so that no other node visits the source too,
 * and so that a document that crashes the process is not visited again right after a restart. Until
 * its result is recorded, the visit counts as a failure, so the backoff grows. Returns null if the
 * source is not due.
 */
async function claimVisit(db: Database, { id, url }: DateSource, now: Date): Promise<State | null> {
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
  // A new URL means a different source, so the state is reset.
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

/** Makes a source due again. */
async function returnClaim(db: Database, state: State): Promise<void> {
  const { id, checkedAt, failures, nextAttemptAt } = state;
  await db
    .update(calendarSources)
    .set({ checkedAt, failures, nextAttemptAt })
    .where(eq(calendarSources.id, id));
}

async function visit<Source extends DateSource>(
  services: VisitServices,
  source: Source,
  state: State,
  reader: SourceReader<Source>,
): Promise<void> {
  const { db, clock, fetch, log, userAgent } = services;
  const isRecent = state.readAt !== null && state.readAt > daysBefore(clock(), rereadDays);
  const validators = isRecent ? state : noValidators;
  const headers = {
    "User-Agent": userAgent,
    Accept: reader.accept,
    ...conditionalHeaders(validators),
  };
  const url = reader.requestUrl?.(source, clock()) ?? source.url;
  const fetched = await fetch(url, { maxBytes, headers });
  const now = clock();
  const visitResult = toVisitResult(fetched, validators, now);
  const stored =
    visitResult.kind === "new" ? await reader.store(source, visitResult.body, now) : null;
  const outcome = stored?.kind === "failed" ? stored : visitResult;
  const counts = stored?.kind === "stored" ? { items: stored.items, broken: stored.broken } : null;
  await recordVisit(db, state, outcome, counts, now);
  if (outcome.kind === "failed")
    log.warn("calendar.failed", {
      source: source.id,
      cause: outcome.cause,
      detail: outcome.detail,
    });
  if (counts) log.info("calendar.read", { source: source.id, ...counts });
}

/** The result for a document that is not what we expected, such as a web page. */
export const toUnreadable = (detail: string): ReadFailure => ({
  kind: "failed",
  cause: "not-readable",
  detail,
  waitMs: null,
});

const notStoredResult = toUnreadable("could not be stored");

async function recordVisit(
  db: Database,
  state: State,
  visitResult: VisitResult,
  counts: { items: number; broken: number } | null,
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
      ...(counts ? { readAt: now, ...counts } : {}),
    })
    // The URL may have changed during the visit. In that case, the result is about a different
    // source.
    .where(and(eq(calendarSources.id, state.id), eq(calendarSources.url, state.url)));
}

/**
 * Returns the columns that change after a successful visit. They are listed one by one, because at
 * runtime the first argument may be a complete row of the table.
 */
function successColumns({ etag, lastModified, bodyHash }: Validators, now: Date) {
  return { etag, lastModified, bodyHash, cause: null, detail: null, lastSuccessAt: now };
}

/** Returns the state of every source. `section` is the page that shows its dates. */
export async function readVisitHealth(
  db: Database,
  sources: DateSource[],
  section: string,
): Promise<SourceHealth[]> {
  const states = await db.select().from(calendarSources);
  return sources.map(({ id, name, url }) =>
    toSourceHealth(
      { id, name, sections: [section] },
      states.find((each) => each.id === id && each.url === url),
    ),
  );
}
