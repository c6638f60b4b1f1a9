import type { WorkerTask } from "../../platform/worker-task.ts";
import type { AlertList } from "./read.server.ts";

type Input = { body: Uint8Array };

export const officialAlertsTask: WorkerTask<Input, AlertList | null> = {
  name: "official-alerts",
  queue: "documents",
  deadlineMs: 5_000,
  async load() {
    const { readAlertList } = await import("./read.server.ts");
    return ({ body }) => readAlertList(body);
  },
};
