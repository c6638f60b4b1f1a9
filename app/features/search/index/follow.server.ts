import { everyTag } from "../../../../db/purge.ts";
import { coalesce } from "../../../lib/coalesce.server.ts";
import { errorFields } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { clearSearchCache } from "../find/cached-search.server.ts";
import { gatherDocuments, readBodies, type SearchableFeature } from "./documents.server.ts";
import { learnFromHeadlines, syncDocuments } from "./write.server.ts";

/** How long an update waits for further changes, which often come together. */
const debounceMs = 300;

export type SearchIndex = {
  /** Call this when a site file has changed. */
  onSiteChanged(): void;
  /** Call this when the content behind these cache tags has changed. */
  onPurged(tags: string[]): void;
  stop(): Promise<void>;
};

/**
 * Several nodes may update the index at the same time, because a second update changes nothing. An
 * update that is aborted ends with the batch that it writes.
 */
export async function updateIndex(
  features: SearchableFeature[],
  services: Services,
  signal?: AbortSignal,
) {
  const documents = await gatherDocuments(features, services);
  const { written, removed } = await syncDocuments(services.db, documents, async (changed) => {
    signal?.throwIfAborted();
    return readBodies(services, changed);
  });
  await learnFromHeadlines(services.db);
  if (written + removed > 0) services.log.info("search.indexed", { written, removed });
}

/**
 * Whether a tag changes results but not the index: the tag of the index itself, or one of
 * headlines, which have their own table.
 */
const changesOnlyResults = (tag: string) =>
  tag === cacheTags.search || tag === cacheTags.headlines || tag.startsWith(cacheTags.source(""));

/**
 * Keeps the index up to date from now on, one update at a time. `runActivity` runs an update as an
 * activity of the process.
 */
export function followContent(
  features: SearchableFeature[],
  services: Services,
  runActivity: (activity: string, work: () => Promise<void>) => Promise<void>,
): SearchIndex {
  // The job that runs every minute tries again after an error.
  const update = coalesce(debounceMs, (signal) =>
    runActivity("index update", () => updateIndex(features, services, signal)).catch((error) => {
      if (!signal.aborted) services.log.error("search.not_indexed", errorFields(error));
    }),
  );
  return {
    onSiteChanged() {
      // The pages of results also show the menu and other texts.
      clearSearchCache();
      update.request();
    },
    onPurged(tags) {
      if (tags.some(changesOnlyResults) || tags.includes(everyTag)) clearSearchCache();
      if (!tags.every(changesOnlyResults)) update.request();
    },
    stop: update.stop,
  };
}
