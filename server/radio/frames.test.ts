import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createFrameReader, readHeader } from "./frames.ts";

const shipped = readFileSync("sites/baltimore/radio/03-close-to-the-water.mp3");
const sound = Buffer.concat(framesOf([shipped]).slice(0, 40));

function framesOf(pieces: Buffer[]): Buffer[] {
  const reader = createFrameReader();
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()].map(
    ({ bytes }) => bytes,
  );
}

function inPieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
}

describe("the frames of an MP3 stream", () => {
  it("are found in whatever pieces the stream arrives", () => {
    for (const size of [1, 7, 417, 1_460]) expect(framesOf(inPieces(sound, size))).toHaveLength(40);
  });

  it("are found again after damage, and the damage is left out", () => {
    const noise = Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * 7919 + 0xfb) % 256));
    const torn = Buffer.concat([sound.subarray(0, 1_000), noise, sound]);
    const frames = framesOf(inPieces(torn, 1_000));
    expect(frames.length).toBeGreaterThanOrEqual(40);
    expect(frames.every((frame) => readHeader(frame, 0)?.length === frame.length)).toBe(true);
    expect(Buffer.concat(frames).subarray(-sound.length)).toEqual(sound);
  });

  it("do not start inside a tag that contains an image", () => {
    const tag = Buffer.concat([
      Buffer.from("ID3\x03\0\0\0\0\x7f\x7f", "latin1"),
      sound.subarray(0, 16_383),
    ]);
    expect(framesOf([tag, sound])).toHaveLength(40);
  });

  it("are never found in a file that is not sound", () => {
    expect(framesOf([readFileSync("sites/baltimore/art/share.png")])).toEqual([]);
  });

  it("carry their format", () => {
    expect(readHeader(sound, 0)).toMatchObject({
      format: { version: 1, rate: 44_100, channels: 2 },
    });
    // MPEG 2, 24 kHz, mono, 64 kbit/s, which talk stations use.
    expect(readHeader(Buffer.from([0xff, 0xf3, 0x84, 0xc4]), 0)).toEqual({
      length: 192,
      format: { version: 2, rate: 24_000, channels: 1 },
    });
  });
});
