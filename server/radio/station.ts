import { setTimeout as pause } from "node:timers/promises";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { fingerprint, openPlaylist, type Playlist } from "./playlist.ts";
import type { Air, Source } from "./source.ts";

const stepMs = 250;
const checkEveryMs = 2_000;
/** Played at once when the station starts, so that its first listener hears something too. */
const leadMs = 5_000;

type Options = { folder: string; log: Log; now?: () => number };
type Opened = { seen: string; programme: Playlist | null };

/**
 * Our own station: a folder of MP3 files, round and round. What is on at a moment follows from the
 * clock alone, so that every node, and a node that was restarted, is at the same place of the
 * programme.
 */
export function createStation({ folder, log, now = Date.now }: Options): Source {
  // Opened when the server starts: going through hours of sound takes longer than a listener would
  // wait.
  let opened: Promise<Opened> = openFolder();

  async function openFolder(): Promise<Opened> {
    const seen = await fingerprint(folder);
    const programme = await openPlaylist(folder, log);
    if (!programme) log.error("radio.nothing_to_play", { folder });
    return { seen, programme };
  }

  async function isOutdated(): Promise<boolean> {
    return (await fingerprint(folder)) !== (await opened).seen;
  }

  async function reopenFolder(): Promise<void> {
    const { programme } = await opened;
    opened = openFolder();
    await opened;
    await programme?.close();
  }

  return {
    start(air) {
      const stop = new AbortController();
      const { signal } = stop;
      (async () => {
        while (!signal.aborted) {
          if (await isOutdated()) await reopenFolder();
          const { programme } = await opened;
          await (programme ? playUntilChanged(programme, air, signal) : waitForFiles(air, signal));
        }
      })().catch((error) => {
        if (!signal.aborted) log.error("radio.station_failed", errorFields(error));
      });
      return { stop: () => stop.abort() };
    },
    close() {
      opened.then(({ programme }) => programme?.close());
    },
  };

  /** Until the folder holds something else. */
  async function playUntilChanged(
    programme: Playlist,
    air: Air,
    signal: AbortSignal,
  ): Promise<void> {
    const frameNow = () => Math.floor(now() / programme.frameMs);
    const lead = Math.ceil(leadMs / programme.frameMs);
    let next = frameNow() - lead;
    let title: string | null = null;
    for (let steps = 1; ; steps += 1) {
      const frame = frameNow();
      // After a sleep, or when the clock was set, it goes on where the programme is now.
      if (frame < next || frame - next > 2 * lead) next = frame - lead;
      const bytes = await programme.read(next, frame).catch((error: unknown) => {
        log.error("radio.programme_not_read", errorFields(error));
        return null;
      });
      if (signal.aborted) return;
      // A disk that fails now may not the next time.
      if (bytes === null) return waitForFiles(air, signal);
      next = frame;
      air.play(bytes, "audio/mpeg");
      if (title !== programme.titleAt(frame)) {
        title = programme.titleAt(frame);
        air.title(title);
      }
      await pause(stepMs, undefined, { signal });
      if (steps % (checkEveryMs / stepMs) === 0 && (await isOutdated())) return;
    }
  }

  /** Nothing to play: somebody may bring something. */
  async function waitForFiles(air: Air, signal: AbortSignal): Promise<void> {
    air.title(null);
    air.lost();
    await pause(checkEveryMs, undefined, { signal });
  }
}
