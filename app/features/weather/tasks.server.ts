import type { WorkerTask } from "../../platform/worker-task.ts";
import type { DocumentContent, ReadOptions } from "./import/read.server.ts";

type Input = ReadOptions & { body: Uint8Array };

export const weatherTask: WorkerTask<Input, DocumentContent | null> = {
  name: "weather",
  queue: "documents",
  deadlineMs: 5_000,
  async load() {
    const { readDocument } = await import("./import/read.server.ts");
    return ({ body, ...options }) => readDocument(body, options);
  },
};
