import { toUnreadableResult } from "../../../lib/external/source-visits.server.ts";
import { toTransferable } from "../../../lib/external/transferable.server.ts";
import type { RunInWorker, WorkerTask } from "../../../platform/worker-task.ts";
import type { LegistarResult } from "./legistar.server.ts";

type Options = { sourceId: string; timeZone: string };

export const legistarTask: WorkerTask<Options & { body: Uint8Array }, LegistarResult> = {
  name: "legistar",
  queue: "documents",
  deadlineMs: 5_000,
};

/** Reads a list of meetings in a worker thread. The bytes move there. */
export async function readLegistarInWorker(
  runInWorker: RunInWorker,
  bytes: Uint8Array,
  options: Options,
) {
  const body = toTransferable(bytes);
  const outcome = await runInWorker(legistarTask, { body, ...options }, [body.buffer]);
  return outcome.kind === "done" ? outcome.value : toUnreadableResult(outcome);
}
