const none = Buffer.alloc(0);
const maxTitleLength = 200;

/**
 * Takes the station's notes out of its sound: after every `interval` bytes comes one that counts
 * the length of a note in sixteens, then the note (SHOUTcast's protocol, which Icecast speaks too).
 * An interval of 0 means none.
 */
export function createIcyReader(interval: number, onTitle: (title: string | null) => void) {
  let untilNote = interval;
  /** The note that is being read: its parts, and how much is missing. */
  let note: { parts: Buffer[]; missing: number } | null = null;

  return (bytes: Buffer): Buffer => {
    if (interval === 0) return bytes;
    const sound: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (note) {
        const part = bytes.subarray(at, at + note.missing);
        note.parts.push(part);
        note.missing -= part.length;
        at += part.length;
      } else if (untilNote > 0) {
        const part = bytes.subarray(at, at + untilNote);
        sound.push(part);
        untilNote -= part.length;
        at += part.length;
      } else {
        note = { parts: [], missing: 16 * (bytes[at] ?? 0) };
        at += 1;
      }
      if (note?.missing === 0) {
        if (note.parts.length > 0) onTitle(readTitle(Buffer.concat(note.parts)));
        note = null;
        untilNote = interval;
      }
    }
    return sound.length === 1 ? (sound[0] ?? none) : Buffer.concat(sound);
  };
}

/** `StreamTitle='…';`, in UTF-8 or, from older stations, in Latin-1. */
function readTitle(note: Buffer): string | null {
  const text = new TextDecoder("utf-8", { fatal: false }).decode(note);
  const readable = text.includes("\ufffd") ? note.toString("latin1") : text;
  return cleanTitle(/StreamTitle='([\s\S]*?)';/.exec(readable)?.[1] ?? "");
}

/** As it may be shown: one short line; null when nothing is left. */
export function cleanTitle(title: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const line = title.replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim();
  return line === "" ? null : line.slice(0, maxTitleLength);
}
