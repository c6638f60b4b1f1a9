import { setTimeout as pause } from "node:timers/promises";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { openPlaylist, type Playlist, readFingerprint } from "./playlist.ts";
import type { AudioOutput, Source } from "./source.ts";

const stepMs = 250;
const checkEveryMs = 2_000;
/** How much is played at once when the station starts, so that its first listener hears sound. */
const leadMs = 5_000;

type Options = { folder: string; log: Log; now?: () => number };
type OpenFolder = { fingerprint: string; playlist: Playlist | null };

/**
 * Our own station: plays a folder of MP3 files in a loop. The clock alone decides what is played,
 * so that every node, including one that was restarted, is at the same place of the playlist.
 */
export function createStation({ folder, log, now = Date.now }: Options): Source {
  // The folder is opened when the server starts, because scanning hours of sound takes longer than
  // a listener would wait.
  let opened: Promise<OpenFolder> = openFolder();

  async function openFolder(): Promise<OpenFolder> {
    const current = await readFingerprint(folder);
    const playlist = await openPlaylist(folder, log);
    if (!playlist) log.error("radio.nothing_to_play", { folder });
    return { fingerprint: current, playlist };
  }

  async function isOutdated(): Promise<boolean> {
    return (await readFingerprint(folder)) !== (await opened).fingerprint;
  }

  async function reopenFolder(): Promise<void> {
    const { playlist } = await opened;
    opened = openFolder();
    await opened;
    await playlist?.close();
  }

  return {
    start(output) {
      const stop = new AbortController();
      const { signal } = stop;
      (async () => {
        while (!signal.aborted) {
          if (await isOutdated()) await reopenFolder();
          const { playlist } = await opened;
          await (playlist
            ? playUntilChanged(playlist, output, signal)
            : waitForFiles(output, signal));
        }
      })().catch((error) => {
        if (!signal.aborted) log.error("radio.station_failed", errorFields(error));
      });
      return { stop: () => stop.abort() };
    },
    close() {
      opened.then(({ playlist }) => playlist?.close());
    },
  };

  /** Plays until the content of the folder changes. */
  async function playUntilChanged(
    playlist: Playlist,
    output: AudioOutput,
    signal: AbortSignal,
  ): Promise<void> {
    const frameNow = () => Math.floor(now() / playlist.frameMs);
    const lead = Math.ceil(leadMs / playlist.frameMs);
    let next = frameNow() - lead;
    let title: string | null = null;
    for (let steps = 1; ; steps += 1) {
      const frame = frameNow();
      // After the machine slept or its clock was set, continue at the current place.
      if (frame < next || frame - next > 2 * lead) next = frame - lead;
      const bytes = await playlist.read(next, frame).catch((error: unknown) => {
        log.error("radio.playlist_not_read", errorFields(error));
        return null;
      });
      if (signal.aborted) return;
      // The next attempt may succeed where the disk failed now.
      if (bytes === null) return waitForFiles(output, signal);
      next = frame;
      output.play(bytes, "audio/mpeg");
      if (title !== playlist.titleAt(frame)) {
        title = playlist.titleAt(frame);
        output.title(title);
      }
      await pause(stepMs, undefined, { signal });
      if (steps % (checkEveryMs / stepMs) === 0 && (await isOutdated())) return;
    }
  }

  /** Waits, because an editor may add files to a folder that has nothing to play. */
  async function waitForFiles(output: AudioOutput, signal: AbortSignal): Promise<void> {
    output.title(null);
    output.lost();
    await pause(checkEveryMs, undefined, { signal });
  }
}
