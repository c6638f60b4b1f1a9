import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { enqueueImage, type ImagePriority } from "./image-queue.server.ts";
import { isIntactImage, readImageSize, reencodeImage } from "./images.server.ts";

const photo = (progressive = false) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: "#875" } })
    .jpeg({ progressive })
    .toBuffer();

it("a reader who waits for a photo of the city is served first, then readers who send images", async () => {
  const done: string[] = [];
  const work = (name: string, priority: ImagePriority) =>
    enqueueImage(priority, async () => done.push(name));
  // Until all of them are waiting, the queue is busy.
  const busy = Promise.withResolvers<void>();
  const running = enqueueImage("background", () => busy.promise);
  const waiting = [
    work("saved photo", "background"),
    work("second saved photo", "background"),
    work("first reader", "request"),
    work("second reader", "request"),
    work("front page", "page"),
  ];
  busy.resolve();
  await Promise.all([running, ...waiting]);
  expect(done).toEqual([
    "front page",
    "first reader",
    "second reader",
    "saved photo",
    "second saved photo",
  ]);
});

it("an image that cannot be encoded does not block the next ones", async () => {
  const bytes = await photo();
  const [broken, good] = await Promise.all([
    reencodeImage(Buffer.from("not an image"), 50),
    reencodeImage(bytes, 50),
  ]);
  expect(broken).toBeNull();
  expect(good).toMatchObject({ width: 64, height: 48 });
});

it("an image that must be decoded as a whole is recognized before it is decoded", async () => {
  expect(await readImageSize(await photo(true))).toMatchObject({
    width: 64,
    height: 48,
    needsFullDecode: true,
  });
  expect(await readImageSize(await photo(false))).toMatchObject({ needsFullDecode: false });
});

/** Adds empty scans to a progressive JPEG, and other bytes after its end. */
function withScans(jpeg: Buffer, count: number, after: Buffer): Buffer {
  const end = jpeg.length - 2;
  const scan = Buffer.from(jpeg.subarray(jpeg.lastIndexOf("\xff\xda", end, "latin1"), end));
  // The scan stores all bits of its values, so that the next one may store them again.
  scan[scan.readUInt16BE(2) + 1] = 0;
  const scans = Array<Buffer>(count).fill(scan);
  return Buffer.concat([jpeg.subarray(0, end), ...scans, jpeg.subarray(end), after]);
}

it("a JPEG with hundreds of scans is not decoded", async () => {
  const jpeg = await photo(true);
  const folder = await mkdtemp(join(tmpdir(), "harborline-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "photo.jpg");
  const decode = async (bytes: Buffer) => {
    await writeFile(path, bytes);
    return [await isIntactImage(path, 24), (await reencodeImage(bytes, 24)) !== null];
  };
  expect(await decode(withScans(jpeg, 300, Buffer.alloc(0)))).toEqual([false, false]);
  // The preview in the metadata, and the video that a phone stores after a photo, do not count.
  const other = Buffer.from("\xff\xda".repeat(300), "latin1");
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), other]);
  comment.writeUInt16BE(other.length + 2, 2);
  const ordinary = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
  expect(await decode(withScans(ordinary, 20, other))).toEqual([true, true]);
});
