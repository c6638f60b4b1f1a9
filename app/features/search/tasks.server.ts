import type { SourceText } from "../../lib/text/plain-text.server.ts";
import type { TaskCode, WorkerTask } from "../../platform/worker-task.ts";

export const textsTask: WorkerTask<SourceText, string> = {
  name: "texts",
  queue: "documents",
  deadlineMs: 2_000,
};

export const textsTaskCode: TaskCode<SourceText, string> = {
  task: textsTask,
  load: async () => (await import("../../lib/text/plain-text.server.ts")).sourceToLine,
};
