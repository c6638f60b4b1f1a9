import type { SourceText } from "../../lib/text/plain-text.server.ts";
import type { WorkerTask } from "../../platform/worker-task.ts";

export const textsTask: WorkerTask<SourceText, string> = {
  name: "texts",
  queue: "documents",
  deadlineMs: 2_000,
  load: async () => (await import("../../lib/text/plain-text.server.ts")).sourceToLine,
};
