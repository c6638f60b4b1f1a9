import type { SourceText } from "../../../lib/text/plain-text.server.ts";
import type { WorkerTask } from "../../../platform/worker-task.ts";

/** Converts each source to plain text, in the same order. */
export const textsTask: WorkerTask<SourceText[], string[]> = {
  name: "texts",
  queue: "documents",
  deadlineMs: 2_000,
};
