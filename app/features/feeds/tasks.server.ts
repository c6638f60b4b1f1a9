import type { WorkerTask } from "../../platform/worker-task.ts";
import type { FetchedDocument } from "../sources/visit-source.server.ts";
import type { ReadResult } from "./import/read.server.ts";

export const feedTask: WorkerTask<FetchedDocument & { now: Date }, ReadResult> = {
  name: "feed",
  queue: "documents",
  deadlineMs: 5_000,
  async load() {
    const { readItems } = await import("./import/read.server.ts");
    return ({ now, ...document }) => readItems(document, now);
  },
};
