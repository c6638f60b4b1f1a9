import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";
import { readInWorker } from "../../sources/read-in-worker.server.ts";
import type { FeedDocument, ReadResult } from "./read.server.ts";

export const feedTask: WorkerTask<FeedDocument & { now: Date }, ReadResult> = {
  name: "feed",
  queue: "documents",
  deadlineMs: 5_000,
};

/** Reads a feed in a worker thread. The body moves there and cannot be used afterwards. */
export async function readFeedInWorker(
  runInWorker: RunInWorker,
  { body, type, url }: FeedDocument,
  now: Date,
): Promise<ReadResult> {
  const result = await readInWorker(runInWorker, feedTask, body, { type, url, now });
  return result.kind === "read" ? result.value : result;
}
