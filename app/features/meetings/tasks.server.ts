import type { TaskCode } from "../../platform/worker-task.ts";
import type { LegistarMeetings, LegistarOptions } from "./import/legistar.server.ts";
import { legistarTask } from "./import/worker-task.server.ts";

export const legistarCode: TaskCode<
  LegistarOptions & { body: Uint8Array },
  LegistarMeetings | null
> = {
  task: legistarTask,
  async load() {
    const { readLegistar } = await import("./import/legistar.server.ts");
    return ({ body, ...options }) => readLegistar(body, options);
  },
};
