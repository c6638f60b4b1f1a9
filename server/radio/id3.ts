import type { FileHandle } from "node:fs/promises";
import { readTagLength } from "./frames.ts";
import { cleanTitle } from "./icy.ts";

/**
 * How much of a file is read. A tag that is longer than this contains images, and its text comes
 * before them.
 */
const maxReadBytes = 64 * 1024;

/** Reads the title from the ID3v2 tag of an MP3 file, and the length of the tag. */
export async function readId3(file: FileHandle): Promise<{ title: string | null; length: number }> {
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
