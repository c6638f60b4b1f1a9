import { toUnreadableResult } from "../../../lib/external/source-visits.server.ts";
import { toTransferable } from "../../../lib/external/transferable.server.ts";
import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";
import type { LegistarOptions, LegistarResult } from "./legistar.server.ts";

export const legistarTask: WorkerTask<LegistarOptions & { body: Uint8Array }, LegistarResult> = {
  name: "legistar",
  queue: "documents",
  deadlineMs: 5_000,
};

/** Reads a list of meetings in a worker thread. The bytes move there. */
export async function readLegistarInWorker(
  runInWorker: RunInWorker,
  bytes: Uint8Array,
  options: LegistarOptions,
) {
  const body = toTransferable(bytes);
  const outcome = await runInWorker(legistarTask, { body, ...options }, [body.buffer]);
  return outcome.kind === "done" ? outcome.value : toUnreadableResult(outcome);
}
