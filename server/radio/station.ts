import { setTimeout as pause } from "node:timers/promises";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { openPlaylist, type Playlist, readFolderState } from "./playlist.ts";
import { type AudioOutput, limitToLastHour, type Source } from "./source.ts";

/** How often the next frames are played. */
const stepMs = 250;
/** How often the folder is checked for changes. */
const checkEveryMs = 2_000;
/** How much is played at once when the station starts, so that its first listener need not wait. */
const leadMs = 5_000;
/** Shorter tracks are announcements, which are not listed among what was played. */
const minListedMs = 30_000;

type Options = {
  folder: string;
  log: Log;
  now?: () => number;
  /** Whether the city has a radio. Without one, nobody misses the files. */
  isNeeded?: () => boolean;
};
type OpenFolder = { fingerprint: string; changedAt: number; playlist: Playlist | null };

/**
 * Creates our own station, which plays a folder of MP3 files in a loop. The clock alone decides
 * what is played, so that every node, including one that was restarted, is at the same position in
 * the playlist.
 */
export function createStation({
  folder,
  log,
  now = Date.now,
  isNeeded = () => true,
}: Options): Source {
  // The folder is opened when the server starts, because scanning hours of audio takes longer than
  // a listener would wait.
  let openedFolder: Promise<OpenFolder> = openFolder();
  let reopening: Promise<void> | null = null;
  let runningCount = 0;

  async function openFolder(): Promise<OpenFolder> {
    const state = await readFolderState(folder);
    const playlist = await openPlaylist(folder, log);
    if (!playlist && isNeeded()) log.error("radio.nothing_to_play", { folder });
    return { ...state, playlist };
  }

  async function isOutdated(): Promise<boolean> {
    return (await readFolderState(folder)).fingerprint !== (await openedFolder).fingerprint;
  }

  function reopenIfOutdated(): Promise<void> {
    const reopen = async () => {
      if (!(await isOutdated())) return;
      const { playlist } = await openedFolder;
      openedFolder = openFolder();
      await openedFolder;
      await playlist?.close();
    };
    reopening ??= reopen().finally(() => {
      reopening = null;
    });
    return reopening;
  }

  return {
    start(output) {
      const stop = new AbortController();
      const { signal } = stop;
      runningCount += 1;
      (async () => {
        while (!signal.aborted) {
          await reopenIfOutdated();
          const { playlist } = await openedFolder;
          await (playlist
            ? playUntilChanged(playlist, output, signal)
            : waitForFiles(output, signal));
        }
      })().catch((error) => {
        if (!signal.aborted) log.error("radio.station_failed", errorFields(error));
      });
      return {
        stop() {
          runningCount -= 1;
          stop.abort();
        },
      };
    },
    /**
     * The clock decides what is played, so the last hour is known even if nobody listened. Before
     * the last change of the folder, the station played something else.
     */
    async readPlayed() {
      // A running station reopens the folder itself. Otherwise this happens in the background,
      // because scanning hours of audio takes longer than a reader would wait for a page.
      if (await isOutdated()) {
        if (runningCount === 0)
          reopenIfOutdated().catch((error) =>
            log.error("radio.folder_not_read", errorFields(error)),
          );
        return [];
      }
      const { playlist, changedAt } = await openedFolder;
      if (!playlist) return [];
      const toFrame = (time: number) => Math.floor(time / playlist.frameMs);
      const tracks = playlist.listTracks(toFrame(changedAt), toFrame(now()));
      const played = tracks.flatMap(({ title, firstFrame, frameCount }) => {
        const startedAt = new Date(Math.max(firstFrame * playlist.frameMs, changedAt));
        const isListed = title !== null && frameCount * playlist.frameMs >= minListedMs;
        const endedAt = new Date((firstFrame + frameCount) * playlist.frameMs);
        return isListed ? [{ title, startedAt, endedAt }] : [];
      });
      return limitToLastHour(played, now());
    },
    close() {
      openedFolder.then(({ playlist }) => playlist?.close());
    },
  };

  async function playUntilChanged(
    playlist: Playlist,
    output: AudioOutput,
    signal: AbortSignal,
  ): Promise<void> {
    const currentFrame = () => Math.floor(now() / playlist.frameMs);
    const leadFrames = Math.ceil(leadMs / playlist.frameMs);
    let nextFrame = currentFrame() - leadFrames;
    let title: string | null = null;
    for (let steps = 1; ; steps += 1) {
      const frame = currentFrame();
      // After the machine slept or its clock was set, continue at the current position.
      if (frame < nextFrame || frame - nextFrame > 2 * leadFrames) nextFrame = frame - leadFrames;
      const bytes = await playlist.read(nextFrame, frame).catch((error: unknown) => {
        log.error("radio.playlist_not_read", errorFields(error));
        return null;
      });
      if (signal.aborted) return;
      // If the disk fails, the next attempt may succeed.
      if (bytes === null) return waitForFiles(output, signal);
      nextFrame = frame;
      output.play(bytes, "audio/mpeg");
      if (title !== playlist.findTitle(frame)) {
        title = playlist.findTitle(frame);
        output.setTitle(title);
      }
      await pause(stepMs, undefined, { signal });
      if (steps % (checkEveryMs / stepMs) === 0 && (await isOutdated())) return;
    }
  }

  /** Waits until the folder is checked again, because an editor may have added files by then. */
  async function waitForFiles(output: AudioOutput, signal: AbortSignal): Promise<void> {
    output.setTitle(null);
    output.reportLost();
    await pause(checkEveryMs, undefined, { signal });
  }
}
