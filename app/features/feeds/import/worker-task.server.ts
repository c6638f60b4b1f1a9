import { toUnreadableResult } from "../../../lib/external/source-visits.server.ts";
import { toTransferable } from "../../../lib/external/transferable.server.ts";
import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";
import type { FeedDocument, ReadResult } from "./read.server.ts";

export const feedTask: WorkerTask<FeedDocument & { now: Date }, ReadResult> = {
  name: "feed",
  queue: "documents",
  deadlineMs: 5_000,
};

/** Reads a feed in a worker thread. The body moves there and cannot be used afterwards. */
export async function readFeedInWorker(
  runInWorker: RunInWorker,
  { body: original, type, url }: FeedDocument,
  now: Date,
): Promise<ReadResult> {
  const body = toTransferable(original);
  const result = await runInWorker(feedTask, { body, type, url, now }, [body.buffer]);
  return result.kind === "done" ? result.value : toUnreadableResult(result);
}
