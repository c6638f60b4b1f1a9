import { movable } from "../../../lib/outside/movable.server.ts";
import { tooHardToRead } from "../../../lib/outside/polite.server.ts";
import type { OutsideTask, RunOutside } from "../../../platform/outside.ts";
import type { CalendarRead, NotRead, ReadOptions } from "./read.server.ts";

export const calendarTask: OutsideTask<ReadOptions & { body: Uint8Array }, CalendarRead> = {
  name: "calendar",
  lane: "documents",
  deadlineMs: 15_000,
};

/** Reads a calendar in a worker thread. The body moves there and cannot be used afterwards. */
export async function readCalendarOutside(
  outside: RunOutside,
  given: Uint8Array,
  { now, timeZone }: ReadOptions,
): Promise<CalendarRead | NotRead> {
  const body = movable(given);
  const outcome = await outside(calendarTask, { body, now, timeZone }, [body.buffer]);
  return outcome.kind === "done" ? outcome.value : tooHardToRead(outcome);
}
