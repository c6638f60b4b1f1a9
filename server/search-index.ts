import { setTimeout as pause } from "node:timers/promises";
import { forgetAnswers } from "../app/features/search/desk.server.ts";
import { learnFromHeadlines, syncDocuments } from "../app/features/search/index.server.ts";
import { errorFields } from "../app/lib/log.ts";
import type { Services } from "../app/platform/services.ts";
import type { Activities } from "./activities.ts";
import { forgetSearchPages } from "./search-answers.ts";
import { gatherDocuments } from "./search-documents.ts";

/** Changes seldom come alone: an editor saves several files, a command changes several rows. */
const gatherChangesMs = 300;

/** Where many are refused, it is for one reason. */
const mostTold = 5;

export type SearchIndex = { changed(): void; stop(): Promise<void> };

/** Brings the search index up to date. Several nodes may do it at once: to do it twice changes nothing. */
export async function updateIndex(services: Services): Promise<void> {
  const { written, removed, refused } = await syncDocuments(services.db, (known) =>
    gatherDocuments(services, known),
  );
  for (const { id, error } of refused.slice(0, mostTold))
    services.log.error("search.refused", { document: id, ...errorFields(error) });
  // Also where nothing was written: another node may have done it.
  forgetAnswers();
  forgetSearchPages();
  await learnFromHeadlines(services.db);
  if (written + removed > 0) services.log.info("search.indexed", { written, removed });
}

/** Keeps it up to date from now on: whenever it is told that something has changed, one update after the other. */
export function followContent(services: Services, during: Activities["during"]): SearchIndex {
  let isDue = false;
  let running: Promise<void> | null = null;
  const stopping = new AbortController();

  const run = async () => {
    while (isDue && !stopping.signal.aborted) {
      await pause(gatherChangesMs, undefined, { signal: stopping.signal }).catch(() => {});
      isDue = false;
      if (stopping.signal.aborted) break;
      // The job of every minute tries again.
      await during("index update", () => updateIndex(services)).catch((error) =>
        services.log.error("search.not_indexed", errorFields(error)),
      );
    }
    running = null;
  };
  return {
    changed() {
      isDue = true;
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
