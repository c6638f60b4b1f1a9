import { movable } from "../../../lib/outside/movable.server.ts";
import { tooHardToRead } from "../../../lib/outside/polite.server.ts";
import type { OutsideTask, RunOutside } from "../../../platform/outside.ts";
import type { FeedDocument, Read } from "./read.server.ts";

export const feedTask: OutsideTask<FeedDocument & { now: Date }, Read> = {
  name: "feed",
  lane: "documents",
  deadlineMs: 5_000,
};

/** Reads a feed in a worker thread. The body moves there and cannot be used afterwards. */
export async function readFeedOutside(
  outside: RunOutside,
  { body: given, type, url }: FeedDocument,
  now: Date,
): Promise<Read> {
  const body = movable(given);
  const outcome = await outside(feedTask, { body, type, url, now }, [body.buffer]);
  return outcome.kind === "done" ? outcome.value : tooHardToRead(outcome);
}
