/** The port in the stream's public URL, which must not change. It is not a port of the server. */
export const streamPort = 8076;
export const radioPath = "/radio";
export const streamPath = "/api/stream";
export const streamSrc = `${streamPath}?port=${streamPort}`;
export const titlePath = "/api/now-playing";

export const volumeStep = 0.01;

/** A stream that delivers no audio for this time counts as lost, even without an error. */
export const stallTimeoutMs = 4_000;
/** The first audio may take longer: the connection is slow, or the station is just starting. */
export const connectTimeoutMs = 15_000;
export const titleIntervalMs = 15_000;

const firstRetryMs = 1_000;
const maxRetryMs = 30_000;

/** Exponential backoff: 1, 2, 4 … 30 seconds. */
export const retryDelayMs = (failures: number) =>
  Math.min(firstRetryMs * 2 ** failures, maxRetryMs);

export type Phase = "stopped" | "connecting" | "playing" | "reconnecting";
/** The last problem: the stream did not start, or it was interrupted. */
export type Problem = "start" | "stream";

export const phaseTexts: Record<Phase, string> = {
  stopped: "Stopped",
  connecting: "Connecting…",
  playing: "Playing live",
  reconnecting: "Reconnecting…",
};

export const problemTexts: Record<Problem, string> = {
  start: "Unable to start playback. Please try again.",
  stream: "Stream temporarily unavailable.",
};

/**
 * Returns the title for places with little room. Titles often begin with the station's name, which
 * is left out here. Without a title, returns the station's name.
 */
export function shownTitle(title: string | null, station: string): string {
  if (!title) return station;
  const prefix = `${station} – `;
  return title.startsWith(prefix) ? title.slice(prefix.length) : title;
}

/** The last audible volume, which unmuting restores, and whether the radio is muted. */
export type Loudness = { volume: number; isMuted: boolean };

export const initialLoudness: Loudness = { volume: 0.9, isMuted: false };

export const shownVolume = ({ volume, isMuted }: Loudness) => (isMuted ? 0 : volume);

/** Raising the volume unmutes, and turning it all the way down mutes. */
export const withVolume = (loudness: Loudness, volume: number): Loudness =>
  volume > 0 ? { volume, isMuted: false } : { ...loudness, isMuted: true };

/**
 * One broadcast of a program, with its times as text for readers and as instants for the player.
 */
export type BroadcastItem = {
  title: string;
  text: string | null;
  host: string | null;
  /** Today, Tomorrow or a weekday. */
  day: string;
  /** The times for readers, such as 6:00 AM – 10:00 AM. */
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

/** Finds the broadcast that is on the air at an instant. */
export const findCurrent = (broadcasts: BroadcastItem[], now: number): BroadcastItem | null =>
  broadcasts.find(({ startsAt, endsAt }) => startsAt <= now && now < endsAt) ?? null;
