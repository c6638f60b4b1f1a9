import sharp from "sharp";
import { expect, it } from "vitest";
import { readImageSize, reencodeImage } from "./images.server.ts";

const photo = (progressive = false) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: "#875" } })
    .jpeg({ progressive })
    .toBuffer();

it("photos of the city's pages do not wait for all images that readers send", async () => {
  const bytes = await photo();
  const done: string[] = [];
  const encode = (name: string, whose: "ours" | "readers") =>
    reencodeImage(bytes, "webp", 50, whose).then(() => done.push(name));
  await Promise.all([
    encode("first reader", "readers"),
    encode("second reader", "readers"),
    encode("third reader", "readers"),
    encode("front page", "ours"),
  ]);
  expect(done).toEqual(["first reader", "front page", "second reader", "third reader"]);
});

it("an image that cannot be encoded does not block the next ones", async () => {
  const bytes = await photo();
  const [broken, good] = await Promise.all([
    reencodeImage(Buffer.from("not an image"), "webp", 50, "readers"),
    reencodeImage(bytes, "webp", 50, "readers"),
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
