import type { WorkerTask } from "../../../platform/worker-task.ts";
import type { LegistarMeetings, LegistarOptions } from "./legistar.server.ts";

export const legistarTask: WorkerTask<
  LegistarOptions & { body: Uint8Array },
  LegistarMeetings | null
> = { name: "legistar", queue: "documents", deadlineMs: 5_000 };
