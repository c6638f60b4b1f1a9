import { and, gt, inArray, lte, or, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import {
  type Cause,
  conditionalHeaders,
  feedPace,
  forEachOnePerHost,
  latestVisitTime,
  recordVisit,
  toVisitResult,
  type VisitResult,
} from "../../../lib/external/source-visits.server.ts";
import { errorMessage } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import type { RunInWorker } from "../../../platform/worker-task.ts";
import { readInWorker } from "../../sources/visit-source.server.ts";
import { type ActiveSource, listActiveSources, sectionsFile } from "../files.server.ts";
import { feedSources } from "../schema.server.ts";
import { feedTask } from "../tasks.server.ts";
import type { FeedDocument, ReadResult } from "./read.server.ts";
import { createStore, type SourceState, type Store } from "./store.server.ts";

export const maxFeedBytes = 5 * 1024 * 1024;
export const acceptFeeds =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

type FeedVisitServices = Pick<Services, "db" | "site" | "clock" | "fetch" | "runInWorker"> & {
  userAgent: string;
};

export type Outcome = {
  id: string;
  /** The number of new items. */
  fresh: number;
  /** The number of items that the source has edited. */
  changed: number;
  cause: Cause | null;
  detail: string | null;
};

type Options = {
  /** Visits only these sources, even if they are not due yet. */
  only?: string[];
  onOutcome?(outcome: Outcome, doneCount: number, totalCount: number): void;
};

/**
 * Visits every source that is due. Each source is visited once, even if several nodes refresh the
 * feeds at the same time, and each host gets one request at a time.
 */
export async function refreshFeeds(
  services: FeedVisitServices,
  { only, onOutcome }: Options = {},
): Promise<Outcome[]> {
  const { db, site, clock } = services;
  const sources = listActiveSources(site.read(sectionsFile)).filter(
    ({ id }) => !only || only.includes(id),
  );
  await addNewSources(db, sources, clock());
  const dueSources = await claimDueSources(db, sources, clock(), {
    evenIfNotDue: only !== undefined,
  });
  const outcomes: Outcome[] = [];
  const store = createStore(db);
  await forEachOnePerHost(
    dueSources,
    ({ url, movedTo }) => movedTo ?? url,
    async (state) => {
      const outcome = await visit(services, state, store).catch((error: unknown) =>
        toFailedOutcome(state, error),
      );
      outcomes.push(outcome);
      onOutcome?.(outcome, outcomes.length, dueSources.length);
    },
  );
  return outcomes;
}

/** Adds the sources that are new in sections.yaml, and resets those whose URL has changed. */
async function addNewSources(db: Database, sources: ActiveSource[], now: Date): Promise<void> {
  const urlsById = new Map(
    (await db.select({ id: feedSources.id, url: feedSources.url }).from(feedSources)).map(
      ({ id, url }) => [id, url],
    ),
  );
  const changedSources = sources.filter(({ id, url }) => urlsById.get(id) !== url);
  if (changedSources.length === 0) return;
  // One statement, because with a thousand sources, a new city would wait for a thousand commits.
  await db
    .insert(feedSources)
    .values(changedSources.map(({ id, url }) => ({ id, url, nextAttemptAt: now })))
    .onConflictDoUpdate({
      target: feedSources.id,
      set: {
        url: sql`excluded."url"`,
        nextAttemptAt: now,
        failures: 0,
        movedTo: null,
        etag: null,
        lastModified: null,
        bodyHash: null,
      },
      setWhere: sql`${feedSources.url} <> excluded."url"`,
    });
}

/**
 * Claims the sources that are due, so that no other node visits them. If a visit never ends, its
 * source is due again after the shortest interval.
 */
async function claimDueSources(
  db: Database,
  sources: ActiveSource[],
  now: Date,
  { evenIfNotDue }: { evenIfNotDue: boolean },
): Promise<SourceState[]> {
  if (sources.length === 0) return [];
  const isSelected = inArray(
    feedSources.id,
    sources.map(({ id }) => id),
  );
  const { nextAttemptAt } = feedSources;
  const isDue = or(lte(nextAttemptAt, now), gt(nextAttemptAt, latestVisitTime(now)));
  return db
    .update(feedSources)
    .set({ nextAttemptAt: new Date(now.getTime() + feedPace.minMs) })
    .where(evenIfNotDue ? isSelected : and(isSelected, isDue))
    .returning();
}

/** Reads a feed in a worker thread. */
export async function readFeedInWorker(
  runInWorker: RunInWorker,
  { body, type, url }: FeedDocument,
  now: Date,
): Promise<ReadResult> {
  const result = await readInWorker(runInWorker, feedTask, body, { type, url, now });
  return result.kind === "read" ? result.value : result;
}

async function visit(
  services: FeedVisitServices,
  state: SourceState,
  store: Store,
): Promise<Outcome> {
  const { clock, fetch, userAgent } = services;
  const response = await fetch(state.movedTo ?? state.url, {
    maxBytes: maxFeedBytes,
    headers: { "User-Agent": userAgent, Accept: acceptFeeds, ...conditionalHeaders(state) },
  });
  const now = clock();
  const visited = toVisitResult(response, state, now);
  const parsed =
    visited.kind === "new" ? await readFeedInWorker(services.runInWorker, visited, now) : null;
  const failure = visited.kind === "failed" ? visited : parsed?.kind === "failed" ? parsed : null;
  const items = parsed?.kind === "items" ? parsed.items : null;
  const counts = await store({
    state: nextState(state, failure ?? visited, now, items?.length ?? state.items),
    items: items ?? [],
    now,
  });
  return {
    id: state.id,
    ...counts,
    cause: failure?.cause ?? null,
    detail: failure?.detail ?? null,
  };
}

/** The outcome of a visit that an error on our side ended, such as an unavailable database. */
const toFailedOutcome = ({ id }: SourceState, error: unknown): Outcome => ({
  id,
  fresh: 0,
  changed: 0,
  cause: "broken",
  detail: errorMessage(error),
});

function nextState(
  state: SourceState,
  visited: VisitResult,
  now: Date,
  items: number,
): SourceState {
  const next = {
    ...state,
    ...recordVisit(visited, state.failures, now, feedPace, Math.random()),
  };
  // A permanent redirect may have been a mistake, so after a failure, the next visit uses the URL
  // from sections.yaml again.
  return visited.kind === "failed"
    ? { ...next, movedTo: null }
    : { ...next, movedTo: visited.movedTo ?? state.movedTo, items };
}

/** Returns the fields of one log line, or null if there is nothing to report. */
export function summarizeOutcomes(outcomes: Outcome[]) {
  const fresh = outcomes.reduce((sum, outcome) => sum + outcome.fresh, 0);
  const failed = outcomes.filter(({ cause }) => cause !== null).length;
  return fresh + failed === 0 ? null : { visited: outcomes.length, fresh, failed };
}
