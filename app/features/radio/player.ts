import {
  connectTimeoutMs,
  initialLoudness,
  type Loudness,
  retryDelayMs,
  stallTimeoutMs,
  streamSrc,
  titleIntervalMs,
  titlePath,
  withMuteToggled,
  withVolume,
} from "./model.ts";
import { radioState, setRadioState } from "./session.ts";

const checkIntervalMs = 1_000;

type Player = ReturnType<typeof createPlayer>;

let player: Player | null = null;

/**
 * The one player of this tab. Its element stands outside of what React draws, so that no change of
 * pages takes it away.
 */
export function radioPlayer(): Player {
  player ??= createPlayer(audioElement());
  return player;
}

/** Made when the radio is first wanted: just to have one costs a page some of a phone's time. */
function audioElement(): HTMLAudioElement {
  const audio = document.createElement("audio");
  audio.preload = "none";
  audio.crossOrigin = "anonymous";
  document.body.append(audio);
  return audio;
}

/**
 * Live sound has no past: pause is stop, and play joins the programme where it is now. A stream
 * that breaks off or stands still is tried again, after 1, 2, 4 … 30 seconds, until it is back or
 * the listener stops it.
 */
function createPlayer(audio: HTMLAudioElement) {
  let hasPlayed = false;
  let failures = 0;
  /** Tells the answers of this attempt from those of earlier ones. */
  let attempt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setInterval> | undefined;
  let titles: ReturnType<typeof setInterval> | undefined;

  function play(): void {
    hasPlayed = false;
    failures = 0;
    setRadioState({ phase: "connecting" });
    connect();
  }

  function stop(): void {
    disconnect();
    setRadioState({ phase: "stopped", title: null });
    updateMediaSession();
  }

  function connect(): void {
    clearTimeout(retry);
    attempt += 1;
    const ours = attempt;
    audio.src = streamSrc;
    watchTime();
    audio.play().catch(() => {
      if (ours === attempt) handleFailure();
    });
  }

  function disconnect(): void {
    attempt += 1;
    clearTimeout(retry);
    clearInterval(watch);
    clearInterval(titles);
    audio.pause();
    // Without an address the browser lets go of the connection.
    audio.removeAttribute("src");
    audio.load();
  }

  function handleFailure(): void {
    disconnect();
    if (!hasPlayed) {
      setRadioState({ phase: "stopped", problem: "start", title: null });
      updateMediaSession();
      checkListenerLimit();
      return;
    }
    setRadioState({ phase: "reconnecting", problem: "stream", title: null });
    retry = setTimeout(connect, retryDelayMs(failures));
    failures += 1;
  }

  /** An audio element does not say why a stream did not begin, so the server is asked. */
  async function checkListenerLimit(): Promise<void> {
    const ours = attempt;
    const signal = AbortSignal.timeout(connectTimeoutMs);
    const status = await fetch(streamSrc, { method: "HEAD", signal }).then(
      (response) => response.status,
      () => null,
    );
    if (ours === attempt && status === 429) setRadioState({ problem: "full" });
  }

  /** A stream may stop without an error: only the time that has been heard tells. */
  function watchTime(): void {
    let [heard, since] = [audio.currentTime, performance.now()];
    clearInterval(watch);
    watch = setInterval(() => {
      if (audio.currentTime !== heard) [heard, since] = [audio.currentTime, performance.now()];
      else if (performance.now() - since >= (heard > 0 ? stallTimeoutMs : connectTimeoutMs))
        handleFailure();
    }, checkIntervalMs);
  }

  function onPlaying(): void {
    hasPlayed = true;
    failures = 0;
    setRadioState({ phase: "playing", problem: null });
    updateMediaSession();
    clearInterval(titles);
    titles = setInterval(updateTitle, titleIntervalMs);
    updateTitle();
  }

  async function updateTitle(): Promise<void> {
    const ours = attempt;
    const answer: unknown = await fetch(titlePath, { signal: AbortSignal.timeout(titleIntervalMs) })
      .then((response) => response.json())
      .catch(() => null);
    if (ours !== attempt) return;
    const title =
      typeof answer === "object" && answer !== null && "title" in answer ? answer.title : null;
    setRadioState({ title: typeof title === "string" ? title : null });
    updateMediaSession();
  }

  /** The lock screen and the keys of a headset show and do the same as the page. */
  function updateMediaSession(): void {
    if (!("mediaSession" in navigator)) return;
    const { phase, title, station } = radioState();
    navigator.mediaSession.playbackState = phase === "stopped" ? "paused" : "playing";
    navigator.mediaSession.metadata = new MediaMetadata({
      title: title ?? "Live Radio",
      artist: station,
    });
  }

  function setLoudness(loudness: Loudness): void {
    audio.volume = loudness.volume;
    audio.muted = loudness.isMuted;
    setRadioState({ loudness });
  }

  const loudness = () => radioState().loudness ?? initialLoudness;
  const isOn = () => radioState().phase !== "stopped";

  audio.addEventListener("playing", onPlaying);
  audio.addEventListener("waiting", () => {
    if (radioState().phase === "playing") setRadioState({ phase: "reconnecting" });
  });
  for (const event of ["error", "ended"])
    audio.addEventListener(event, () => {
      if (hasPlayed && isOn() && audio.hasAttribute("src")) handleFailure();
    });
  audio.addEventListener("pause", () => {
    // The system has paused it: a call has come in, the headset is gone.
    if (radioState().phase === "playing" && !audio.ended) stop();
  });
  window.addEventListener("online", () => {
    if (radioState().phase === "reconnecting") connect();
  });
  if ("mediaSession" in navigator) {
    navigator.mediaSession.setActionHandler("play", play);
    navigator.mediaSession.setActionHandler("pause", stop);
    navigator.mediaSession.setActionHandler("stop", stop);
  }
  setLoudness(loudness());

  return {
    toggle: () => (isOn() ? stop() : play()),
    toggleMute: () => setLoudness(withMuteToggled(loudness())),
    setVolume: (volume: number) => setLoudness(withVolume(loudness(), volume)),
  };
}
