/** The stream's one port, part of its address since the station's first days. */
export const streamPort = 8076;
export const streamPath = "/api/stream";
export const streamSrc = `${streamPath}?port=${streamPort}`;
export const titlePath = "/api/now-playing";

export const volumeStep = 0.01;
const initialVolume = 0.9;

/** A stream that stands still for so long is lost, though nobody has said so. */
export const stallTimeoutMs = 4_000;
/** The first sound may take longer: the line may be slow, and the station may just be starting. */
export const connectTimeoutMs = 15_000;
export const titleIntervalMs = 15_000;

const firstRetryMs = 1_000;
const maxRetryMs = 30_000;

/** 1, 2, 4 … 30 seconds. */
export const retryDelayMs = (failures: number) =>
  Math.min(firstRetryMs * 2 ** failures, maxRetryMs);

export type Phase = "stopped" | "connecting" | "playing" | "reconnecting";
/** What went wrong last: it never began, it broke off, or too many listen from this connection. */
export type Problem = "start" | "stream" | "full";

export const phaseTexts: Record<Phase, string> = {
  stopped: "Stopped",
  connecting: "Connecting…",
  playing: "Playing live",
  reconnecting: "Reconnecting…",
};

export const problemTexts: Record<Problem, string> = {
  start: "Unable to start playback. Please try again.",
  stream: "Stream temporarily unavailable.",
  full: "Too many are listening from your internet connection. Please try again later.",
};

/**
 * What is on, in a narrow place: the station's name, which often begins its titles, is left out
 * where it can be.
 */
export function shownTitle(title: string | null, station: string): string {
  if (!title) return station;
  const prefix = `${station} – `;
  return title.startsWith(prefix) ? title.slice(prefix.length) : title;
}

/** How loud it is, and how loud it was when it last could be heard. */
export type Loudness = { volume: number; isMuted: boolean; lastAudible: number };

export const initialLoudness: Loudness = {
  volume: initialVolume,
  isMuted: false,
  lastAudible: initialVolume,
};

export const isSilent = ({ volume, isMuted }: Loudness) => isMuted || volume === 0;

export const shownVolume = (loudness: Loudness) => (isSilent(loudness) ? 0 : loudness.volume);

/** Raising the volume unmutes. */
export function withVolume(loudness: Loudness, volume: number): Loudness {
  return volume > 0
    ? { volume, isMuted: false, lastAudible: volume }
    : { ...loudness, volume: loudness.isMuted ? loudness.volume : 0 };
}

/** Unmuting brings back the last volume that could be heard. */
export function withMuteToggled(loudness: Loudness): Loudness {
  return isSilent(loudness)
    ? { ...loudness, volume: loudness.lastAudible, isMuted: false }
    : { ...loudness, isMuted: true };
}
