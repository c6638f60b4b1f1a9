import type { WorkerTask } from "../../../platform/worker-task.ts";
import type { DocumentContent, ReadOptions } from "./read.server.ts";

export const weatherTask: WorkerTask<ReadOptions & { body: Uint8Array }, DocumentContent | null> = {
  name: "weather",
  queue: "documents",
  deadlineMs: 5_000,
};
