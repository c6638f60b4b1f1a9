import type { SourceText } from "../../lib/text/plain-text.server.ts";
import type { TaskCode } from "../../platform/worker-task.ts";
import { textsTask } from "./index/worker-task.server.ts";

export const textsTaskCode: TaskCode<SourceText, string> = {
  task: textsTask,
  async load() {
    const { sourceToLine } = await import("../../lib/text/plain-text.server.ts");
    return sourceToLine;
  },
};
