import type { WorkerTask } from "../../platform/worker-task.ts";
import type { FeedDocument, ReadResult } from "./import/read.server.ts";

type Input = FeedDocument & { now: Date };

export const feedTask: WorkerTask<Input, ReadResult> = {
  name: "feed",
  queue: "documents",
  deadlineMs: 5_000,
  async load() {
    const { readItems } = await import("./import/read.server.ts");
    return ({ now, ...document }) => readItems(document, now);
  },
};
