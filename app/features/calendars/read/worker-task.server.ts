import { toUnreadableResult } from "../../../lib/external/source-visits.server.ts";
import { toTransferable } from "../../../lib/external/transferable.server.ts";
import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";
import type { CalendarResult, ReadFailure, ReadOptions } from "./read.server.ts";

export const calendarTask: WorkerTask<ReadOptions & { body: Uint8Array }, CalendarResult> = {
  name: "calendar",
  queue: "documents",
  deadlineMs: 15_000,
};

/** Reads a calendar in a worker thread. The bytes move there and cannot be used afterwards. */
export async function readCalendarInWorker(
  runInWorker: RunInWorker,
  bytes: Uint8Array,
  { now, timeZone }: ReadOptions,
): Promise<CalendarResult | ReadFailure> {
  const body = toTransferable(bytes);
  const outcome = await runInWorker(calendarTask, { body, now, timeZone }, [body.buffer]);
  return outcome.kind === "done" ? outcome.value : toUnreadableResult(outcome);
}
