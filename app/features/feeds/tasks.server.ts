import type { TaskCode } from "../../platform/outside.ts";
import { feedTask } from "./outside.server.ts";
import type { FeedDocument, Read } from "./read.server.ts";

export const feedCode: TaskCode<FeedDocument & { now: Date }, Read> = {
  task: feedTask,
  async load() {
    const { readItems } = await import("./read.server.ts");
    return ({ now, ...document }) => readItems(document, now);
  },
};
