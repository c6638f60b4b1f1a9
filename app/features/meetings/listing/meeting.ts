import type { HowToSpeak } from "../model.ts";

/** A meeting from any origin: a file, an editor or an imported source. */
export type Meeting = {
  id: string;
  body: string;
  title: string;
  startsAt: Date;
  /** Equal to `startsAt` if the end is not known. */
  endsAt: Date;
  /** Whether only the date is known. */
  allDay: boolean;
  location: string;
  agenda: string | null;
  minutes: string | null;
  video: string | null;
  link: string | null;
  html: string | null;
  text: string;
  howToSpeak: HowToSpeak | null;
  isCanceled: boolean;
  movedFrom: Date | null;
  movedFromRoom: string | null;
  isSample: boolean;
  source: { name: string; url: string } | null;
  /** When we learned of the meeting, if that is known. */
  firstSeenAt: Date | null;
  changedAt: Date | null;
};
