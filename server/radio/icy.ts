import { toVisibleLine } from "../../app/lib/text/plain-text.ts";

const emptyBuffer = Buffer.alloc(0);
const maxTitleLength = 200;

/**
 * Creates a function that removes the metadata from a station's stream. After every `interval`
 * bytes of audio comes one byte with the length of a metadata block in units of 16 bytes, then the
 * block (the protocol of SHOUTcast, which Icecast uses too). An interval of 0 means that there is
 * no metadata.
 */
export function createIcyReader(interval: number, onTitle: (title: string | null) => void) {
  let bytesUntilBlock = interval;
  /** The metadata block that is being read: its parts, and how many bytes are missing. */
  let block: { parts: Buffer[]; missing: number } | null = null;

  return (bytes: Buffer): Buffer => {
    if (interval === 0) return bytes;
    const audio: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (block) {
        const part = bytes.subarray(at, at + block.missing);
        block.parts.push(part);
        block.missing -= part.length;
        at += part.length;
      } else if (bytesUntilBlock > 0) {
        const part = bytes.subarray(at, at + bytesUntilBlock);
        audio.push(part);
        bytesUntilBlock -= part.length;
        at += part.length;
      } else {
        block = { parts: [], missing: 16 * (bytes[at] ?? 0) };
        at += 1;
      }
      if (block?.missing === 0) {
        if (block.parts.length > 0) onTitle(readTitle(Buffer.concat(block.parts)));
        block = null;
        bytesUntilBlock = interval;
      }
    }
    return audio.length === 1 ? (audio[0] ?? emptyBuffer) : Buffer.concat(audio);
  };
}

/** Reads `StreamTitle='…';`, in UTF-8 or, from older stations, in Latin-1. */
function readTitle(block: Buffer): string | null {
  const text = new TextDecoder("utf-8", { fatal: false }).decode(block);
  const readable = text.includes("\ufffd") ? block.toString("latin1") : text;
  return cleanTitle(/StreamTitle='([\s\S]*?)';/.exec(readable)?.[1] ?? "");
}

/** Turns a title into one short line that can be shown; null if nothing is left. */
export function cleanTitle(title: string): string | null {
  const line = toVisibleLine(title);
  return line === "" ? null : line.slice(0, maxTitleLength);
}
