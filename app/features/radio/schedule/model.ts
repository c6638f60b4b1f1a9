import { isRecord } from "../../../lib/is-record.ts";

/** One broadcast of a program, with its times as text for readers and as instants for the player. */
export type BroadcastItem = {
  title: string;
  text: string | null;
  host: string | null;
  /** Today, Tomorrow or a weekday. */
  day: string;
  /** Such as 6:00 AM – 10:00 AM. */
  hours: string;
  startsAt: number;
  endsAt: number;
};

/** `time` is the local time at which the title began, such as 10:02 AM. */
export type PlayedItem = { time: string; startedAt: string; title: string };

/** What changes on the radio page while it is open. */
export type OnAir = { now: BroadcastItem | null; next: BroadcastItem[]; played: PlayedItem[] };

/** Consecutive days with the same programs, such as "Monday to Friday". */
export type DayGroup = { days: string; programs: { hours: string; title: string }[] };

export const onAirPath = "/radio.json";
export const onAirIntervalMs = 60_000;

/** Whether a response is ours. A login page of a hotel's network is not. */
export const isOnAir = (value: unknown): value is OnAir =>
  isRecord(value) && Array.isArray(value.next) && Array.isArray(value.played);

/** Finds the broadcast that is on the air at an instant. */
export const findCurrent = (broadcasts: BroadcastItem[], now: number): BroadcastItem | null =>
  broadcasts.find(({ startsAt, endsAt }) => startsAt <= now && now < endsAt) ?? null;
