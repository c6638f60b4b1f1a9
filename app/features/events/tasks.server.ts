import type { TaskCode } from "../../platform/worker-task.ts";
import type { CalendarResult, ReadOptions } from "./import/read.server.ts";
import { calendarTask } from "./import/worker-task.server.ts";

export const calendarCode: TaskCode<ReadOptions & { body: Uint8Array }, CalendarResult> = {
  task: calendarTask,
  async load() {
    const { readCalendar } = await import("./import/read.server.ts");
    return ({ body, ...options }) => readCalendar(body, options);
  },
};
