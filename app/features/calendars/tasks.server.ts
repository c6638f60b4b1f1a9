import type { TaskCode } from "../../platform/worker-task.ts";
import type { Calendar, ReadOptions } from "./read/read.server.ts";
import { calendarTask } from "./read/worker-task.server.ts";

export const calendarCode: TaskCode<ReadOptions & { body: Uint8Array }, Calendar | null> = {
  task: calendarTask,
  async load() {
    const { readCalendar } = await import("./read/read.server.ts");
    return ({ body, ...options }) => readCalendar(body, options);
  },
};
