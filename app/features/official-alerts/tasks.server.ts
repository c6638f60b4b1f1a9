import type { TaskCode } from "../../platform/worker-task.ts";
import type { AlertList } from "./read.server.ts";
import { officialAlertsTask } from "./worker-task.server.ts";

export const officialAlertsTaskCode: TaskCode<{ body: Uint8Array }, AlertList | null> = {
  task: officialAlertsTask,
  async load() {
    const { readAlertList } = await import("./read.server.ts");
    return ({ body }) => readAlertList(body);
  },
};
