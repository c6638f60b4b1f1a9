import { shownTitle } from "./model.ts";
import { findCurrent } from "./schedule/model.ts";
import { radioState } from "./session.ts";

/** Shows the state on the lock screen. */
export function updateMediaSession(): void {
  if (!("mediaSession" in navigator)) return;
  const { phase, title, station, broadcasts, artwork } = radioState();
  const program = findCurrent(broadcasts, Date.now())?.title;
  navigator.mediaSession.playbackState = phase === "stopped" ? "paused" : "playing";
  navigator.mediaSession.metadata = new MediaMetadata({
    title: title ? shownTitle(title, station) : (program ?? "Live Radio"),
    artist: station,
    album: program ?? "",
    artwork,
  });
}

/** Lets the keys of a headset, a keyboard or a lock screen control the player. */
export function handleMediaKeys({ play, stop }: { play(): void; stop(): void }): void {
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.setActionHandler("play", play);
  navigator.mediaSession.setActionHandler("pause", stop);
  navigator.mediaSession.setActionHandler("stop", stop);
}
