import type { TaskCode } from "../../platform/outside.ts";
import { calendarTask } from "./import/outside.server.ts";
import type { CalendarRead, ReadOptions } from "./import/read.server.ts";

export const calendarCode: TaskCode<ReadOptions & { body: Uint8Array }, CalendarRead> = {
  task: calendarTask,
  async load() {
    const { readCalendar } = await import("./import/read.server.ts");
    return ({ body, ...options }) => readCalendar(body, options);
  },
};
