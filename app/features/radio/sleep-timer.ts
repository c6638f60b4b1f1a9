import { radioState, setRadioState } from "./session.ts";

export const sleepChoices = [15, 30, 45, 60];

const minuteMs = 60_000;
/** The radio becomes quieter during this time before it stops. */
const fadeMs = 6_000;
const checkIntervalMs = 1_000;
const fadeStepMs = 100;

type Options = {
  /** Plays at this share of the volume that the listener chose. */
  setFade(share: number): void;
  onEnd(): void;
};

/**
 * Stops the radio after some minutes. It compares times instead of counting, because browsers slow
 * down the timers of hidden pages, and a laptop may sleep in between.
 */
export function createSleepTimer({ setFade, onEnd }: Options) {
  let endsAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function showMinutes(sleepMinutes: number | null): void {
    if (sleepMinutes !== radioState().sleepMinutes) setRadioState({ sleepMinutes });
  }

  function cancel(): void {
    clearTimeout(timer);
    setFade(1);
    showMinutes(null);
  }

  function check(): void {
    const leftMs = endsAt - Date.now();
    if (leftMs <= 0) {
      onEnd();
      return;
    }
    setFade(Math.min(1, leftMs / fadeMs));
    showMinutes(Math.ceil(leftMs / minuteMs));
    const untilFadeMs = leftMs - fadeMs;
    timer = setTimeout(
      check,
      untilFadeMs > 0 ? Math.min(checkIntervalMs, untilFadeMs) : fadeStepMs,
    );
  }

  return {
    cancel,
    start(minutes: number): void {
      cancel();
      endsAt = Date.now() + minutes * minuteMs;
      check();
    },
  };
}
