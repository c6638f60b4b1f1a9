import sharp from "sharp";
import { expect, it } from "vitest";
import { enqueueImage, type ImagePriority } from "./image-queue.server.ts";
import { readImageSize, reencodeImage } from "./images.server.ts";

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
