import {
  type Cause,
  feedPace,
  forEachOnePerHost,
} from "../../../lib/external/source-visits.server.ts";
import { selectDue, type VisitServices, visitSource } from "../../sources/visit-source.server.ts";
import { listActiveSources, sectionsFile, toDocumentId } from "../files.server.ts";
import { feedTask } from "../tasks.server.ts";
import { createStore } from "./store.server.ts";

/** How feeds are requested and read. */
export const feedVisits = {
  accept:
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
  maxBytes: 5 * 1024 * 1024,
};

export type Outcome = {
  id: string;
  /** False if another node visits the source, or if this one was too busy. */
  isVisited: boolean;
  /** The number of new items. */
  fresh: number;
  /** The number of items that the source has edited. */
  changed: number;
  cause: Cause | null;
  detail: string | null;
};

type Options = {
  /** The ids of the sources that somebody asks for, whether they are due or not. */
  askedFor?: string[];
  onOutcome?(outcome: Outcome, doneCount: number, totalCount: number): void;
};

/**
 * Visits the sources that are due, or those that somebody asks for. Each source is visited once, even
 * if several nodes refresh the feeds at the same time, and the sources of one host are visited one
 * after the other. The host is that of the configured URL: after a redirect, two may share another.
 */
export async function refreshFeeds(
  services: VisitServices,
  { askedFor, onOutcome }: Options = {},
): Promise<Outcome[]> {
  const { db, site, clock } = services;
  const sources = listActiveSources(site.read(sectionsFile)).map((source) => ({
    url: source.url,
    sourceId: source.id,
    id: toDocumentId(source.id),
  }));
  const chosen = askedFor
    ? sources.filter(({ sourceId }) => askedFor.includes(sourceId))
    : await selectDue(db, sources, clock());
  const outcomes: Outcome[] = [];
  const { store, remember } = createStore();
  await forEachOnePerHost(
    chosen,
    ({ url }) => url,
    async ({ sourceId, ...source }) => {
      let [fresh, changed] = [0, 0];
      const { isVisited, failure } = await visitSource(
        services,
        {
          ...source,
          ...feedVisits,
          pace: { ...feedPace, isSpread: true },
          task: feedTask,
          input: { now: clock() },
          expected: "a feed",
          isQuiet: true,
          countItems: ({ items }) => items.length,
          store: (tx, { items }, now) => store(tx, sourceId, items, now),
          onStored(stored) {
            ({ fresh, changed } = stored);
            remember(sourceId, stored);
          },
        },
        askedFor !== undefined,
      );
      const { cause = null, detail = null } = failure ?? {};
      const outcome = { id: sourceId, isVisited, fresh, changed, cause, detail };
      outcomes.push(outcome);
      onOutcome?.(outcome, outcomes.length, chosen.length);
    },
  );
  return outcomes;
}

/** Returns the fields of one log line, or null if there is nothing to report. */
export function summarizeOutcomes(outcomes: Outcome[]) {
  const fresh = outcomes.reduce((sum, outcome) => sum + outcome.fresh, 0);
  const failed = outcomes.filter(({ cause }) => cause !== null).length;
  const visited = outcomes.filter(({ isVisited }) => isVisited).length;
  return fresh + failed === 0 ? null : { visited, fresh, failed };
}
