import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { DayGroup } from "../model.ts";

/** In the order of a week that begins on Monday. */
const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
type Weekday = (typeof weekdays)[number];

/** What an editor may write as a day: its name, or a word for several days. */
export const dayWords = [...weekdays, "weekdays", "weekends", "daily"] as const;
type DayWord = (typeof dayWords)[number];

/** A weekly program, as the site file has it. Times are local times of the city. */
export type Program = {
  days: DayWord[];
  /** HH:MM */
  start: string;
  /** HH:MM; if it is earlier than the start, the program ends on the next day. */
  end: string;
  title: string;
  text?: string | undefined;
  host?: string | undefined;
};

export type Broadcast = { program: Program; startsAt: Date; endsAt: Date };

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const endsNextDay = ({ start, end }: Program) => toMinutes(end) <= toMinutes(start);

export const capitalize = (day: string) => day.charAt(0).toUpperCase() + day.slice(1);

function listDays({ days }: Program): Weekday[] {
  const includes = (day: Weekday) =>
    days.includes(day) ||
    days.includes("daily") ||
    days.includes(day === "saturday" || day === "sunday" ? "weekends" : "weekdays");
  return weekdays.filter(includes);
}

export const weekdayOf = (day: string) => weekdays[(new Date(day).getUTCDay() + 6) % 7] ?? "monday";

/** A week and a day ahead, so that a weekly program is found right after its broadcast began. */
const daysAhead = 8;

/**
 * Returns the broadcasts that have not ended yet, in order. Each one is computed from the calendar
 * of its own day, so a program starts and ends when the clocks on the wall say so, also in the
 * nights when they change.
 */
export function listBroadcasts(programs: Program[], now: Date, timeZone: string): Broadcast[] {
  const today = calendarDay(now, timeZone);
  const all = broadcasts("all", [programs, today, timeZone], () =>
    Array.from({ length: daysAhead + 1 }, (_, n) => addDays(today, n - 1))
      .flatMap((day) =>
        programs
          .filter((program) => listDays(program).includes(weekdayOf(day)))
          .map((program) => toBroadcast(program, day, timeZone)),
      )
      .filter(({ startsAt, endsAt }) => endsAt > startsAt)
      .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime()),
  );
  return all.filter(({ endsAt }) => endsAt > now);
}

/** Several parts of a page show what is on air. */
const broadcasts = createMemo<Broadcast[]>();

function toBroadcast(program: Program, day: string, timeZone: string): Broadcast {
  const endDay = endsNextDay(program) || program.end === "24:00" ? addDays(day, 1) : day;
  const endTime = program.end === "24:00" ? "00:00" : program.end;
  return {
    program,
    startsAt: instantAt(day, program.start, timeZone),
    endsAt: instantAt(endDay, endTime, timeZone),
  };
}

/**
 * Lists the week as a printed guide does: consecutive days with the same programs are one group.
 */
export function groupWeek(programs: Program[]): DayGroup[] {
  const groups: { days: Weekday[]; programs: Program[] }[] = [];
  for (const day of weekdays) {
    const ofDay = programs
      .filter((program) => listDays(program).includes(day))
      .toSorted((one, other) => toMinutes(one.start) - toMinutes(other.start));
    const last = groups.at(-1);
    const isSame =
      last?.programs.length === ofDay.length &&
      ofDay.every((program, i) => program === last.programs[i]);
    if (last && isSame) last.days.push(day);
    else groups.push({ days: [day], programs: ofDay });
  }
  return groups
    .filter((group) => group.programs.length > 0)
    .map((group) => ({
      days: describeDays(group.days),
      programs: group.programs.map((program) => ({
        title: program.title,
        hours: formatHours(program),
      })),
    }));
}

function describeDays(days: Weekday[]): string {
  const [first = "", last = ""] = [days[0], days.at(-1)].map((day) => capitalize(day ?? ""));
  if (days.length === weekdays.length) return "Every day";
  if (days.length === 1) return first;
  return `${first} ${days.length === 2 ? "and" : "to"} ${last}`;
}

/** Formats HH:MM as readers in the United States write it: 6:30 PM. */
export function formatTime(time: string): string {
  const hour = Number(time.slice(0, 2)) % 24;
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? "AM" : "PM"}`;
}

export const formatHours = ({ start, end }: Program) => `${formatTime(start)} – ${formatTime(end)}`;
