import type { TaskCode } from "../../platform/worker-task.ts";
import type { DocumentContent, ReadOptions } from "./import/read.server.ts";
import { weatherTask } from "./import/worker-task.server.ts";

export const weatherTaskCode: TaskCode<ReadOptions & { body: Uint8Array }, DocumentContent | null> =
  {
    task: weatherTask,
    async load() {
      const { readDocument } = await import("./import/read.server.ts");
      return ({ body, ...options }) => readDocument(body, options);
    },
  };
