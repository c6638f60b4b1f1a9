import { feedPace } from "../../../lib/external/source-visits.server.ts";
import type { WorkerTask } from "../../../platform/worker-task.ts";
import type { Calendar, ReadOptions } from "../calendars/read/read.server.ts";
import type { LegistarMeetings, LegistarOptions } from "./legistar.server.ts";

type Document<Options> = Options & { body: Uint8Array };

export const calendarTask: WorkerTask<Document<ReadOptions>, Calendar | null> = {
  name: "calendar",
  queue: "documents",
  deadlineMs: 15_000,
  async load() {
    const { readCalendar } = await import("../calendars/read/read.server.ts");
    return ({ body, ...options }) => readCalendar(body, options);
  },
};

export const legistarTask: WorkerTask<Document<LegistarOptions>, LegistarMeetings | null> = {
  name: "legistar",
  queue: "documents",
  deadlineMs: 5_000,
  async load() {
    const { readLegistar } = await import("./legistar.server.ts");
    return ({ body, ...options }) => readLegistar(body, options);
  },
};

/** Sources of dates rarely change more than a few times a day. */
export const datesPace = { ...feedPace, minMs: 60 * 60_000 };
export const maxDatesBytes = 24 * 1024 * 1024;

/** How calendars of other servers are requested and read. */
export const calendarVisits = {
  accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
  maxBytes: maxDatesBytes,
  pace: datesPace,
  task: calendarTask,
  expected: "a calendar",
};
