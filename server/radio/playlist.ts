import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { createFrameReader, type Format, sameFormat, samplesPerFrame } from "./frames.ts";
import { readId3 } from "./id3.ts";

type Track = {
  file: FileHandle;
  title: string | null;
  format: Format;
  /** The offset of each frame in the file. */
  starts: Uint32Array;
  end: number;
};

/**
 * A folder of MP3 files, played one after another in the order of their names, then again from the
 * first.
 */
export type Playlist = {
  frames: number;
  frameMs: number;
  /** Reads frames by their number. Numbers past the last frame continue at the first. */
  read(from: number, to: number): Promise<Buffer>;
  titleAt(frame: number): string | null;
  close(): Promise<void>;
};

/**
 * A file with a smaller share of sound is damaged, or it is another kind of file with the wrong
 * name.
 */
const minSoundShare = 0.9;

/** Returns a text that changes when a file in the folder is added, removed or replaced. */
export async function readFingerprint(folder: string): Promise<string> {
  const files = await listTracks(folder);
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  return files
    .map((file, i) => `${file} ${stats[i]?.mtimeMs} ${stats[i]?.size} ${stats[i]?.ino}`)
    .join("\n");
}

/**
 * Opens the folder; null if nothing in it can be played. A file that cannot be played is left out,
 * and the log says why.
 */
export async function openPlaylist(folder: string, log: Log): Promise<Playlist | null> {
  const tracks: Track[] = [];
  for (const path of await listTracks(folder)) {
    const leaveOut = (reason: string) =>
      log.warn("radio.file_left_out", { file: basename(path), reason });
    const track = await openTrack(path).catch((error: unknown) =>
      String(errorFields(error).message),
    );
    if (typeof track === "string") {
      leaveOut(track);
    } else if (tracks[0] && !sameFormat(track.format, tracks[0].format)) {
      await track.file.close();
      leaveOut(
        `is ${describeFormat(track.format)}, but the playlist before it is ${describeFormat(tracks[0].format)}`,
      );
    } else tracks.push(track);
  }
  const [first] = tracks;
  return first ? createPlaylist(tracks, first.format) : null;
}

function createPlaylist(tracks: Track[], format: Format): Playlist {
  const frames = tracks.reduce((sum, { starts }) => sum + starts.length, 0);
  /** Finds the track of a frame, and the index of the frame in that track. */
  const find = (frame: number): { track: Track; at: number } => {
    let at = frame % frames;
    for (const track of tracks) {
      if (at < track.starts.length) return { track, at };
      at -= track.starts.length;
    }
    throw new RangeError(`There is no frame ${frame}.`);
  };
  return {
    frames,
    frameMs: (1_000 * samplesPerFrame(format)) / format.rate,
    titleAt: (frame) => find(frame).track.title,
    async read(from, to) {
      const parts: Buffer[] = [];
      for (let frame = from; frame < to; ) {
        const { track, at } = find(frame);
        const last = Math.min(at + to - frame, track.starts.length);
        const [start = 0, end = track.end] = [track.starts[at], track.starts[last]];
        const { buffer, bytesRead } = await track.file.read({
          buffer: Buffer.allocUnsafe(end - start),
          position: start,
        });
        parts.push(buffer.subarray(0, bytesRead));
        frame += last - at;
      }
      return Buffer.concat(parts);
    },
    async close() {
      await Promise.all(tracks.map(({ file }) => file.close()));
    },
  };
}

/** Returns the track, or the reason why it cannot be played. */
async function openTrack(path: string): Promise<Track | string> {
  const reader = createFrameReader();
  const starts: number[] = [];
  let format: Format | undefined;
  let [sound, end] = [0, 0];
  const addFrames = (frames: ReturnType<typeof reader.read>) => {
    for (const frame of frames) {
      format ??= frame.format;
      if (!sameFormat(format, frame.format)) continue;
      starts.push(frame.at);
      sound += frame.bytes.length;
      end = frame.at + frame.bytes.length;
    }
  };
  for await (const chunk of createReadStream(path)) addFrames(reader.read(chunk));
  addFrames(reader.end());
  if (!format || starts.length < 2) return "contains no MP3 sound";
  const file = await open(path);
  const { size } = await file.stat();
  const { title, length } = await readId3(file);
  if (sound / Math.max(1, size - length) < minSoundShare) {
    await file.close();
    return `is damaged: only ${Math.round((100 * sound) / size)} % of it is MP3 sound`;
  }
  return { file, title, format, starts: Uint32Array.from(starts), end };
}

async function listTracks(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.toLowerCase().endsWith(".mp3"))
    .sort()
    .map((name) => join(folder, name));
}

const describeFormat = ({ rate, channels }: Format) =>
  `${rate / 1_000} kHz ${channels === 1 ? "mono" : "stereo"}`;
