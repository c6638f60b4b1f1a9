import {
  connectTimeoutMs,
  findCurrent,
  initialLoudness,
  type Loudness,
  retryDelayMs,
  shownTitle,
  stallTimeoutMs,
  streamSrc,
  titleIntervalMs,
  titlePath,
  withVolume,
} from "./model.ts";
import { radioState, setRadioState } from "./session.ts";
import { createSleepTimer } from "./sleep-timer.ts";

const checkIntervalMs = 1_000;

type Player = ReturnType<typeof createPlayer>;

let player: Player | null = null;

/**
 * Returns the only player of this tab. React does not render the player's audio element, so the
 * element stays when the page changes.
 */
export function radioPlayer(): Player {
  player ??= createPlayer(audioElement());
  return player;
}

/**
 * Creates the audio element on first use, because the element alone slows down pages on a phone.
 */
function audioElement(): HTMLAudioElement {
  const audio = document.createElement("audio");
  audio.preload = "none";
  audio.crossOrigin = "anonymous";
  document.body.append(audio);
  return audio;
}

/**
 * The stream is live, so Pause stops it and Play joins it where it is now. If the stream fails or
 * stalls, the player reconnects after 1, 2, 4 … 30 seconds, until the stream is back or the
 * listener stops it.
 */
function createPlayer(audio: HTMLAudioElement) {
  let hasPlayed = false;
  /** The share of the chosen volume that is played: less than 1 while the sleep timer fades out. */
  let fade = 1;
  let failures = 0;
  /** Counts connection attempts, so that late results of an earlier attempt can be ignored. */
  let attempt = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let stallTimer: ReturnType<typeof setInterval> | undefined;
  let titleTimer: ReturnType<typeof setInterval> | undefined;

  function play(): void {
    hasPlayed = false;
    failures = 0;
    setRadioState({ phase: "connecting" });
    otherTabs.postMessage("play");
    connect();
  }

  function stop(): void {
    disconnect();
    sleepTimer.cancel();
    setRadioState({ phase: "stopped", title: null });
    updateMediaSession();
  }

  function connect(): void {
    clearTimeout(retryTimer);
    attempt += 1;
    const thisAttempt = attempt;
    audio.src = streamSrc;
    watchForStall();
    audio.play().catch(() => {
      if (thisAttempt === attempt) handleFailure();
    });
  }

  function disconnect(): void {
    attempt += 1;
    clearTimeout(retryTimer);
    clearInterval(stallTimer);
    clearInterval(titleTimer);
    audio.pause();
    // Without a source, the browser closes the connection.
    audio.removeAttribute("src");
    audio.load();
  }

  function handleFailure(): void {
    disconnect();
    if (!hasPlayed) {
      sleepTimer.cancel();
      setRadioState({ phase: "stopped", problem: "start", title: null });
      updateMediaSession();
      return;
    }
    setRadioState({ phase: "reconnecting", problem: "stream", title: null });
    retryTimer = setTimeout(connect, retryDelayMs(failures));
    failures += 1;
  }

  /**
   * A stream can stop without an error. The only sign is that the playback time does not advance.
   */
  function watchForStall(): void {
    let [position, positionSince] = [audio.currentTime, performance.now()];
    clearInterval(stallTimer);
    stallTimer = setInterval(() => {
      if (audio.currentTime !== position)
        [position, positionSince] = [audio.currentTime, performance.now()];
      else if (
        performance.now() - positionSince >=
        (position > 0 ? stallTimeoutMs : connectTimeoutMs)
      )
        handleFailure();
    }, checkIntervalMs);
  }

  function onPlaying(): void {
    hasPlayed = true;
    failures = 0;
    setRadioState({ phase: "playing", problem: null });
    updateMediaSession();
    clearInterval(titleTimer);
    titleTimer = setInterval(updateTitle, titleIntervalMs);
    updateTitle();
  }

  async function updateTitle(): Promise<void> {
    const thisAttempt = attempt;
    const body: unknown = await fetch(titlePath, { signal: AbortSignal.timeout(titleIntervalMs) })
      .then((response) => response.json())
      .catch(() => null);
    if (thisAttempt !== attempt) return;
    const title = typeof body === "object" && body !== null && "title" in body ? body.title : null;
    setRadioState({ title: typeof title === "string" ? title : null });
    updateMediaSession();
  }

  function setLoudness(loudness: Loudness): void {
    audio.volume = loudness.volume * fade;
    audio.muted = loudness.isMuted;
    setRadioState({ loudness });
  }

  const sleepTimer = createSleepTimer({
    setFade(share) {
      if (share === fade) return;
      fade = share;
      audio.volume = currentLoudness().volume * fade;
    },
    onEnd: stop,
  });

  const currentLoudness = () => radioState().loudness ?? initialLoudness;
  const isOn = () => radioState().phase !== "stopped";

  // Two radios at the same time are noise, so the one that was started last stops the others.
  const otherTabs = new BroadcastChannel("radio");
  otherTabs.onmessage = () => {
    if (isOn()) stop();
  };

  audio.addEventListener("playing", onPlaying);
  audio.addEventListener("waiting", () => {
    if (radioState().phase === "playing") setRadioState({ phase: "reconnecting" });
  });
  for (const event of ["error", "ended"])
    audio.addEventListener(event, () => {
      if (hasPlayed && isOn() && audio.hasAttribute("src")) handleFailure();
    });
  audio.addEventListener("pause", () => {
    // The system paused the audio, for example because of a phone call or an unplugged headset.
    if (radioState().phase === "playing" && !audio.ended) stop();
  });
  window.addEventListener("online", () => {
    if (radioState().phase === "reconnecting") connect();
  });
  handleMediaKeys({ play, stop });
  setLoudness(currentLoudness());

  return {
    toggle: () => (isOn() ? stop() : play()),
    toggleMute() {
      const { volume, isMuted } = currentLoudness();
      setLoudness({ volume, isMuted: !isMuted });
    },
    setSleepTimer: (minutes: number) =>
      minutes > 0 ? sleepTimer.start(minutes) : sleepTimer.cancel(),
    setVolume: (volume: number) => setLoudness(withVolume(currentLoudness(), volume)),
  };
}

function updateMediaSession(): void {
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
function handleMediaKeys({ play, stop }: { play(): void; stop(): void }): void {
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.setActionHandler("play", play);
  navigator.mediaSession.setActionHandler("pause", stop);
  navigator.mediaSession.setActionHandler("stop", stop);
}
