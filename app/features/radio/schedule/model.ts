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
