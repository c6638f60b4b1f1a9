/** The format of an MP3 stream. When it changes, a decoder has to start again. */
export type Format = { version: 1 | 2 | 2.5; rate: number; channels: 1 | 2 };
type Frame = { offset: number; bytes: Buffer; format: Format };

const headerBytes = 4;
/** Bit rates in kbit/s: of MPEG version 1, and of versions 2 and 2.5. */
const bitRates = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const versions: (Format["version"] | undefined)[] = [2.5, undefined, 2, 1];
const sampleRates = [44_100, 48_000, 32_000];
const emptyBuffer = Buffer.alloc(0);

/** Reads the header of a frame (ISO 11172-3, layer III); null if the bytes are not a header. */
export function readHeader(
  bytes: Buffer,
  offset: number,
): { length: number; format: Format } | null {
  if (offset + headerBytes > bytes.length || bytes[offset] !== 0xff) return null;
  const [second = 0, third = 0, fourth = 0] = bytes.subarray(offset + 1, offset + headerBytes);
  const version = versions[(second >> 3) & 3];
  const isLayer3 = (second & 0xe6) === 0xe2;
  const kbits = bitRates[version === 1 ? 1 : 2][(third >> 4) - 1];
  const fullRate = sampleRates[(third >> 2) & 3];
  if (!isLayer3 || version === undefined || kbits === undefined || fullRate === undefined)
    return null;
  const rate = fullRate / { 1: 1, 2: 2, 2.5: 4 }[version];
  const padding = (third >> 1) & 1;
  const length = Math.floor(((version === 1 ? 144_000 : 72_000) * kbits) / rate) + padding;
  return { length, format: { version, rate, channels: fourth >> 6 === 3 ? 1 : 2 } };
}

export const samplesPerFrame = ({ version }: Format) => (version === 1 ? 1_152 : 576);

export const isSameFormat = (one: Format, other: Format) =>
  one.version === other.version && one.rate === other.rate && one.channels === other.channels;

/**
 * Creates a parser that finds the frames in a stream of bytes that arrives in arbitrary pieces.
 * Everything that is not audio (tags, cover images, damage) is left out.
 */
export function createFrameParser(): { read(bytes: Buffer): Frame[]; end(): Frame[] } {
  let unread: Buffer = emptyBuffer;
  let position = 0;
  let bytesToSkip = 0;
  let isSynced = false;

  function drop(count: number): void {
    unread = unread.subarray(count);
    position += count;
  }

  /** Returns the next frame; null if more bytes are needed to decide. */
  function readNext(isEnd: boolean): Frame | null {
    for (;;) {
      if (bytesToSkip > 0) {
        const skipped = Math.min(bytesToSkip, unread.length);
        bytesToSkip -= skipped;
        drop(skipped);
      }
      if (unread.length < (isEnd ? headerBytes : 10)) return null;
      bytesToSkip = readTagLength(unread);
      if (bytesToSkip > 0) continue;
      const header = readHeader(unread, 0);
      if (header && unread.length < header.length + (isSynced || isEnd ? 0 : headerBytes)) {
        if (!isEnd) return null;
        isSynced = false;
        drop(1);
        continue;
      }
      // Random bytes can look like a header. After losing sync, a header counts only if another one
      // follows its frame.
      const follower = header && !isSynced ? readHeader(unread, header.length) : null;
      const isFrame =
        header !== null &&
        (isSynced || (follower !== null && isSameFormat(header.format, follower.format)));
      if (!isFrame) {
        isSynced = false;
        const candidate = unread.indexOf(0xff, 1);
        const tag = unread.indexOf("ID3", 1, "latin1");
        const places = [candidate, tag, unread.length].filter((place) => place !== -1);
        drop(Math.min(...places));
        continue;
      }
      const frame = {
        offset: position,
        bytes: unread.subarray(0, header.length),
        format: header.format,
      };
      drop(header.length);
      const isFirst = !isSynced;
      isSynced = true;
      if (!(isFirst && isIndexFrame(frame.bytes))) return frame;
    }
  }

  function readAll(isEnd: boolean): Frame[] {
    const frames: Frame[] = [];
    for (let frame = readNext(isEnd); frame; frame = readNext(isEnd)) frames.push(frame);
    return frames;
  }

  return {
    read(bytes) {
      unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
      return readAll(false);
    },
    end: () => readAll(true),
  };
}

/**
 * Returns the length of an ID3v2 tag that starts here, otherwise 0. Each byte of its size holds
 * seven bits.
 */
export function readTagLength(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString("latin1", 0, 3) !== "ID3") return 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d);
}

/** Whether a frame holds a table of contents instead of audio, as the first frame of a file may. */
function isIndexFrame(frame: Buffer): boolean {
  const start = frame.toString("latin1", 0, 48);
  return start.includes("Xing") || start.includes("Info") || start.includes("VBRI");
}
