import type { TaskCode } from "../../platform/worker-task.ts";
import type { FeedDocument, ReadResult } from "./import/read.server.ts";
import { feedTask } from "./import/worker-task.server.ts";

export const feedTaskCode: TaskCode<FeedDocument & { now: Date }, ReadResult> = {
  task: feedTask,
  async load() {
    const { readItems } = await import("./import/read.server.ts");
    return ({ now, ...document }) => readItems(document, now);
  },
};
