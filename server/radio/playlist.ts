import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorFields, type Log } from "../../app/lib/log.ts";
import {
  createFrameParser,
  type Format,
  isSameFormat,
  readTagLength,
  samplesPerFrame,
} from "./frames.ts";
import { cleanTitle } from "./icy.ts";
import { maxPlayedTitles } from "./source.ts";

type Track = {
  file: FileHandle;
  title: string | null;
  format: Format;
  /** The offset of each frame in the file. */
  frameOffsets: Uint32Array;
  /** The offset after the last frame. */
  end: number;
};

/**
 * A file with a smaller share of audio is damaged, or is another kind of file with the wrong name.
 */
const minAudioShare = 0.9;

/**
 * `fingerprint` changes when a file in the folder is added, removed or replaced, and `changedAt`
 * tells when that last happened.
 */
export async function readFolderState(folder: string) {
  const paths = [folder, ...(await listTracks(folder))];
  const stats = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  const describeFile = (path: string, index: number) =>
    `${path} ${stats[index]?.mtimeMs} ${stats[index]?.size} ${stats[index]?.ino}`;
  return {
    // The time of the folder also changes with files that are not played.
    fingerprint: paths.map(describeFile).slice(1).join("\n"),
    changedAt: Math.max(0, ...stats.map((found) => found?.mtimeMs ?? 0)),
  };
}

type LeftOut = { file: string; reason: string };

/**
 * Opens the folder. Returns null if nothing in it can be played. A file that cannot be played is
 * left out, and the log says why.
 */
export async function openPlaylist(folder: string, log: Log): Promise<Playlist | null> {
  const { tracks, leftOut } = await openTracks(folder);
  for (const each of leftOut) log.warn("radio.file_left_out", each);
  const [first] = tracks;
  return first ? createPlaylist(tracks, first.format) : null;
}

/** Finds the files that are not played, also those that are not MP3 files. */
export async function findLeftOut(folder: string): Promise<LeftOut[]> {
  const { tracks, leftOut } = await openTracks(folder);
  await Promise.all(tracks.map(({ file }) => file.close()));
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => otherAudio.test(name));
  return [
    ...leftOut,
    ...others.map((file) => ({ file, reason: "is not an MP3 file: export it as MP3" })),
  ];
}

const otherAudio = /\.(?:wav|m4a|aac|ogg|oga|opus|flac|wma|aiff?)$/i;

/** Opens the files that can be played one after another. All of them have the same format. */
async function openTracks(folder: string): Promise<{ tracks: Track[]; leftOut: LeftOut[] }> {
  const opened: { name: string; track: Track }[] = [];
  const leftOut: LeftOut[] = [];
  for (const path of await listTracks(folder)) {
    const track = await openTrack(path).catch((error: unknown) =>
      String(errorFields(error).message),
    );
    if (typeof track === "string") leftOut.push({ file: basename(path), reason: track });
    else opened.push({ name: basename(path), track });
  }
  // One file in another format, such as a new announcement, must not silence all others.
  const [usual] = [...Map.groupBy(opened, ({ track }) => describeFormat(track.format)).values()]
    .toSorted((one, other) => other.length - one.length)
    .flat();
  const tracks: Track[] = [];
  for (const { name, track } of opened) {
    if (!usual || isSameFormat(track.format, usual.track.format)) {
      tracks.push(track);
      continue;
    }
    await track.file.close();
    const [own, needed] = [describeFormat(track.format), describeFormat(usual.track.format)];
    leftOut.push({
      file: name,
      reason: `is ${own}, but most files of the radio are ${needed}: export it again as ${needed}`,
    });
  }
  return { tracks, leftOut };
}

export type Playlist = ReturnType<typeof createPlaylist>;

/** Plays files one after another in the order of their names, then again from the first. */
function createPlaylist(tracks: Track[], format: Format) {
  const frameCount = tracks.reduce((sum, { frameOffsets }) => sum + frameOffsets.length, 0);
  /** Finds the track of a frame, and the index of the frame in that track. */
  const findFrame = (frame: number): { track: Track; at: number } => {
    let at = frame % frameCount;
    for (const track of tracks) {
      if (at < track.frameOffsets.length) return { track, at };
      at -= track.frameOffsets.length;
    }
    throw new RangeError(`There is no frame ${frame}.`);
  };
  return {
    frameCount,
    frameMs: (1_000 * samplesPerFrame(format)) / format.rate,
    findTitle: (frame: number): string | null => findFrame(frame).track.title,
    /** Lists the tracks between two frames, the latest first, each with its first frame. */
    listTracks(from: number, to: number) {
      const list: { title: string | null; firstFrame: number; frameCount: number }[] = [];
      for (let frame = to; frame >= from && list.length < maxPlayedTitles; ) {
        const { track, at } = findFrame(frame);
        const { title, frameOffsets } = track;
        list.push({ title, firstFrame: frame - at, frameCount: frameOffsets.length });
        frame -= at + 1;
      }
      return list;
    },
    /** Reads frames by their number. Numbers past the last frame continue at the first. */
    async read(from: number, to: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for (let frame = from; frame < to; ) {
        const { track, at } = findFrame(frame);
        const last = Math.min(at + to - frame, track.frameOffsets.length);
        const [start = 0, end = track.end] = [track.frameOffsets[at], track.frameOffsets[last]];
        const { buffer, bytesRead } = await track.file.read({
          buffer: Buffer.allocUnsafe(end - start),
          position: start,
        });
        parts.push(buffer.subarray(0, bytesRead));
        frame += last - at;
      }
      return Buffer.concat(parts);
    },
    async close(): Promise<void> {
      await Promise.all(tracks.map(({ file }) => file.close()));
    },
  };
}

/** Returns the track, or the reason why it cannot be played. */
async function openTrack(path: string): Promise<Track | string> {
  // Opening a pipe would wait until somebody writes to it.
  if (!(await stat(path)).isFile()) return "is not a file";
  const parser = createFrameParser();
  const frameOffsets: number[] = [];
  let format: Format | undefined;
  let [audioBytes, end] = [0, 0];
  const addFrames = (frames: ReturnType<typeof parser.read>) => {
    for (const frame of frames) {
      format ??= frame.format;
      if (!isSameFormat(format, frame.format)) continue;
      frameOffsets.push(frame.offset);
      audioBytes += frame.bytes.length;
      end = frame.offset + frame.bytes.length;
    }
  };
  for await (const chunk of createReadStream(path)) addFrames(parser.read(chunk));
  addFrames(parser.end());
  if (!format || frameOffsets.length < 2) return "contains no MP3 audio";
  const file = await open(path);
  const { size } = await file.stat();
  const { title, length } = await readId3(file);
  if (audioBytes / Math.max(1, size - length) < minAudioShare) {
    await file.close();
    return `is damaged: only ${Math.round((100 * audioBytes) / size)}% of it is MP3 audio`;
  }
  return { file, title, format, frameOffsets: Uint32Array.from(frameOffsets), end };
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

/**
 * How much of a file is read. A tag that is longer than this contains images, and its text comes
 * before them.
 */
const maxReadBytes = 64 * 1024;

/** Reads the title from the ID3v2 tag of an MP3 file, and the length of the tag. */
async function readId3(file: FileHandle): Promise<{ title: string | null; length: number }> {
  const { buffer, bytesRead } = await file.read({
    buffer: Buffer.alloc(maxReadBytes),
    position: 0,
  });
  const bytes = buffer.subarray(0, bytesRead);
  const length = readTagLength(bytes);
  if (length === 0) return { title: null, length };
  const texts = readTextFrames(bytes.subarray(0, length));
  // TPE1 is the artist, and TIT2 is the title.
  const title = cleanTitle([texts.get("TPE1"), texts.get("TIT2")].filter(Boolean).join(" – "));
  return { title, length };
}

/**
 * Reads the text frames of ID3 versions 2.3 and 2.4. A frame has a four-letter name, a size, two
 * bytes of flags and the content.
 */
function readTextFrames(tag: Buffer): Map<string, string> {
  const texts = new Map<string, string>();
  const hasSevenBitSizes = tag[3] === 4;
  for (let at = 10; at + 11 < tag.length; ) {
    const name = tag.toString("latin1", at, at + 4);
    const size = hasSevenBitSizes ? readSevenBitSize(tag, at + 4) : tag.readUInt32BE(at + 4);
    if (!/^[A-Z0-9]{4}$/.test(name) || size === 0) break;
    if (name.startsWith("T")) texts.set(name, decode(tag.subarray(at + 10, at + 10 + size)));
    at += 10 + size;
  }
  return texts;
}

const readSevenBitSize = (tag: Buffer, at: number) =>
  tag.subarray(at, at + 4).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0);

/** Decodes the content of a text frame. Its first byte specifies the encoding of the rest. */
function decode(content: Buffer): string {
  const encoding = ["latin1", "utf-16", "utf-16be", "utf-8"][content[0] ?? 0] ?? "utf-8";
  return new TextDecoder(encoding).decode(content.subarray(1)).replaceAll("\0", " ").trim();
}
