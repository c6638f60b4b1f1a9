import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createFrameParser, readHeader } from "./frames.ts";

const track = readFileSync("sites/baltimore/radio/03-close-to-the-water.mp3");
const audio = Buffer.concat(readFrames([track]).slice(0, 40));

function readFrames(pieces: Buffer[]): Buffer[] {
  const parser = createFrameParser();
  return [...pieces.flatMap((piece) => parser.read(piece)), ...parser.end()].map(
    ({ bytes }) => bytes,
  );
}

function split(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
}

describe("the frames of an MP3 stream", () => {
  it("are found no matter in which pieces the stream arrives", () => {
    for (const size of [1, 7, 417, 1_460]) expect(readFrames(split(audio, size))).toHaveLength(40);
  });

  it("are found again after damage, and the damage is left out", () => {
    const noise = Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * 7919 + 0xfb) % 256));
    const torn = Buffer.concat([audio.subarray(0, 1_000), noise, audio]);
    const frames = readFrames(split(torn, 1_000));
    expect(frames.length).toBeGreaterThanOrEqual(40);
    expect(frames.every((frame) => readHeader(frame, 0)?.length === frame.length)).toBe(true);
    expect(Buffer.concat(frames).subarray(-audio.length)).toEqual(audio);
  });

  it("do not start inside a tag that contains an image", () => {
    const tag = Buffer.concat([
      Buffer.from("ID3\x03\0\0\0\0\x7f\x7f", "latin1"),
      audio.subarray(0, 16_383),
    ]);
    expect(readFrames([tag, audio])).toHaveLength(40);
  });

  it("are never found in a file that is not audio", () => {
    expect(readFrames([readFileSync("sites/baltimore/art/share.png")])).toEqual([]);
  });

  it("contain their format", () => {
    expect(readHeader(audio, 0)).toMatchObject({
      format: { version: 1, rate: 44_100, channels: 2 },
    });
    // MPEG 2, 24 kHz, mono, 64 kbit/s, which talk stations use.
    expect(readHeader(Buffer.from([0xff, 0xf3, 0x84, 0xc4]), 0)).toEqual({
      length: 192,
      format: { version: 2, rate: 24_000, channels: 1 },
    });
  });
});
