import type { WorkerTask } from "../../platform/worker-task.ts";
import type { AlertList } from "./read.server.ts";

export const officialAlertsTask: WorkerTask<{ body: Uint8Array }, AlertList | null> = {
  name: "official-alerts",
  queue: "documents",
  deadlineMs: 5_000,
};
