import { and, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import {
  type Cause,
  conditionalHeaders,
  forEachOnePerHost,
  minIntervalMs,
  nextVisitTime,
  toVisitResult,
  type VisitResult,
} from "../../../lib/external/source-visits.server.ts";
import { errorMessage } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import { type ActiveSource, activeSources, sectionsFile } from "../files.server.ts";
import { feedSources } from "../schema.server.ts";
import type { RecentTitles } from "./identify.server.ts";
import { dateUndated } from "./normalize.server.ts";
import { createStore, loadRecentTitles, type SourceState, type Store } from "./store.server.ts";
import { readFeedInWorker } from "./worker-task.server.ts";

export const maxFeedBytes = 5 * 1024 * 1024;
export const acceptFeeds =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

type RefreshServices = Pick<Services, "db" | "site" | "clock" | "fetch" | "runInWorker"> & {
  userAgent: string;
};

/** The result of one visit to a source. */
export type Outcome = {
  id: string;
  fresh: number;
  changed: number;
  cause: Cause | null;
  detail: string | null;
  /** Whether the source has just started to fail, or has just recovered. */
  turned: boolean;
};

type Options = {
  /** Visits only these sources, even if they are not due yet. */
  only?: string[];
  onOutcome?(outcome: Outcome, done: number, all: number): void;
};

/**
 * Visits every source that is due. Each is visited once, even if several nodes run this at the same
 * time, and each host gets one request at a time.
 */
export async function refreshFeeds(
  services: RefreshServices,
  { only, onOutcome }: Options = {},
): Promise<Outcome[]> {
  const { db, site, clock } = services;
  const sources = activeSources(site.read(sectionsFile)).filter(
    ({ id }) => !only || only.includes(id),
  );
  await addNewSources(db, sources, clock());
  const due = await claimDue(db, sources, clock(), only !== undefined);
  const outcomes: Outcome[] = [];
  let titles: Promise<RecentTitles<number>> | undefined;
  const store = createStore(db, () => {
    titles ??= loadRecentTitles(db, clock());
    return titles;
  });
  await forEachOnePerHost(
    due,
    ({ url, movedTo }) => movedTo ?? url,
    async (state) => {
      const outcome = await visit(services, state, store).catch((error: unknown) =>
        failedVisit(state, error),
      );
      outcomes.push(outcome);
      onOutcome?.(outcome, outcomes.length, due.length);
    },
  );
  return outcomes;
}

/**
 * Adds a row for each source that is new in sections.yaml, and resets the row of each source whose
 * URL has changed there.
 */
async function addNewSources(db: Database, sources: ActiveSource[], now: Date): Promise<void> {
  const known = new Map(
    (await db.select({ id: feedSources.id, url: feedSources.url }).from(feedSources)).map(
      ({ id, url }) => [id, url],
    ),
  );
  const added = sources.filter(({ id, url }) => known.get(id) !== url);
  if (added.length === 0) return;
  // In one statement, because a new city with a thousand sources would otherwise wait for a
  // thousand commits.
  await db
    .insert(feedSources)
    .values(added.map(({ id, url }) => ({ id, url, nextAttemptAt: now })))
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
async function claimDue(
  db: Database,
  sources: ActiveSource[],
  now: Date,
  evenIfNotDue: boolean,
): Promise<SourceState[]> {
  if (sources.length === 0) return [];
  const isSelected = inArray(
    feedSources.id,
    sources.map(({ id }) => id),
  );
  return db
    .update(feedSources)
    .set({ nextAttemptAt: new Date(now.getTime() + minIntervalMs) })
    .where(evenIfNotDue ? isSelected : and(isSelected, lte(feedSources.nextAttemptAt, now)))
    .returning();
}

async function visit(
  services: RefreshServices,
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
  const read =
    visited.kind === "new" ? await readFeedInWorker(services.runInWorker, visited, now) : null;
  const failed = visited.kind === "failed" ? visited : read?.kind === "failed" ? read : null;
  const fetchedItems = read?.kind === "items" ? read.items : null;
  const items =
    fetchedItems && state.lastSuccessAt === null ? dateUndated(fetchedItems) : fetchedItems;
  const stored = await store({
    state: nextState(state, failed ?? visited, now, items?.length ?? state.items),
    items: items ?? [],
    now,
  });
  return {
    id: state.id,
    ...stored,
    cause: failed?.cause ?? null,
    detail: failed?.detail ?? null,
    turned: (failed !== null) !== state.failures > 0,
  };
}

/**
 * An error on our side, such as an unavailable database. The source is visited again at the usual
 * time.
 */
function failedVisit({ id, failures }: SourceState, error: unknown): Outcome {
  const detail = errorMessage(error);
  return { id, fresh: 0, changed: 0, cause: "broken", detail, turned: failures === 0 };
}

/** The state of a source after a visit. */
function nextState(
  state: SourceState,
  visited: VisitResult,
  now: Date,
  items: number,
): SourceState {
  const failures = visited.kind === "failed" ? state.failures + 1 : 0;
  const nextAttemptAt = nextVisitTime(now, visited, failures, Math.random());
  const after = { ...state, checkedAt: now, failures, nextAttemptAt };
  if (visited.kind === "failed") {
    // A permanent redirect may have been a mistake, so the next visit uses the URL from
    // sections.yaml again.
    return { ...after, cause: visited.cause, detail: visited.detail, movedTo: null };
  }
  const { etag, lastModified, bodyHash } = visited.visit;
  const movedTo = visited.movedTo ?? state.movedTo;
  return {
    ...after,
    etag,
    lastModified,
    bodyHash,
    movedTo,
    items,
    cause: null,
    detail: null,
    lastSuccessAt: now,
  };
}

/**
 * One line for the log, or null if nothing has changed, so that a server without a network does not
 * fill its log.
 */
export function summarizeOutcomes(outcomes: Outcome[]): Record<string, number> | null {
  const turned = outcomes.filter((outcome) => outcome.turned);
  const fresh = outcomes.reduce((sum, outcome) => sum + outcome.fresh, 0);
  if (turned.length === 0 && fresh === 0) return null;
  const failing = turned.filter(({ cause }) => cause !== null);
  return {
    visited: outcomes.length,
    fresh,
    failing: failing.length,
    recovered: turned.length - failing.length,
    ...Object.fromEntries(
      [...Map.groupBy(failing, ({ cause }) => cause ?? "")].map(([cause, { length }]) => [
        cause,
        length,
      ]),
    ),
  };
}
