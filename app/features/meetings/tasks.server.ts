import type { WorkerTask } from "../../platform/worker-task.ts";
import type { LegistarMeetings, LegistarOptions } from "./import/legistar.server.ts";

type Input = LegistarOptions & { body: Uint8Array };

export const legistarTask: WorkerTask<Input, LegistarMeetings | null> = {
  name: "legistar",
  queue: "documents",
  deadlineMs: 5_000,
  async load() {
    const { readLegistar } = await import("./import/legistar.server.ts");
    return ({ body, ...options }) => readLegistar(body, options);
  },
};
