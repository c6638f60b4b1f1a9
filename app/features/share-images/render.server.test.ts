import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { testLook } from "../../../tests/support/look.ts";
import { runInThisThread } from "../../../tests/support/worker-pool.ts";
import { createLog } from "../../lib/log.ts";
import type { ShareCard } from "../../platform/share-card.ts";
import { maxShareImageBytes, renderShareImage } from "./render.server.ts";

const card: ShareCard = {
  label: "Community",
  title: "A Crab Supper in the Alley",
  lines: ["November 15, 2026"],
  image: { path: "/image", alt: "" },
  mark: null,
  dateTile: null,
};

/** Renders a card with this image. */
async function render(image: Uint8Array | null, changes: Partial<ShareCard> = {}) {
  const log: string[] = [];
  const services = {
    runInWorker: runInThisThread,
    log: createLog({ write: (line) => log.push(line) }),
    readImage: async (path: string) =>
      path === "/mark" ? readFile("sites/baltimore/art/mark.svg") : image,
  };
  const brand = { name: "Harborline", accent: "Baltimore" };
  const rendered = await renderShareImage(
    services,
    { ...card, ...changes },
    { brand, look: testLook, mark: "/mark" },
  );
  const { format, width, height } = await sharp(rendered.bytes).metadata();
  expect({ format, width, height }).toEqual({ format: "png", width: 1200, height: 630 });
  expect(rendered.bytes.length).toBeLessThanOrEqual(maxShareImageBytes);
  return { ...rendered, log };
}

const colorAt = async (bytes: Uint8Array, left: number, top: number) =>
  Array.from(
    await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer(),
  );

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

/** Every pixel is random, so nothing compresses this image. */
const noise = () =>
  sharp({
    create: {
      width: 700,
      height: 700,
      channels: 3,
      background: "#000",
      noise: { type: "gaussian", mean: 128, sigma: 80 },
    },
  });

describe("a share image", () => {
  it("shows a photo beside the title", async () => {
    const { bytes, isFinal } = await render(await plain(900, 600, "#2f6f7e").jpeg().toBuffer());
    expect(isFinal).toBe(true);
    const [red = 0, green = 0, blue = 0] = await colorAt(bytes, 1000, 300);
    for (const [is, should] of [
      [red, 0x2f],
      [green, 0x6f],
      [blue, 0x7e],
    ] as const)
      expect(Math.abs(is - should)).toBeLessThan(8);
    expect(await colorAt(bytes, 10, 10)).toEqual([0x12, 0x26, 0x3f]);
  });

  it("shows a drawing", async () => {
    const { isFinal, bytes } = await render(await readFile("sites/baltimore/art/map.svg"));
    expect(isFinal).toBe(true);
    expect(bytes.length).toBeLessThan(120_000);
  });

  it("is never too large, even with a transparent image of noise", async () => {
    const image = await noise().ensureAlpha(0.5).png({ compressionLevel: 1 }).toBuffer();
    const { isFinal, log } = await render(image);
    expect(isFinal).toBe(true);
    expect(log).toEqual([]);
  });

  it("turns a photo upright as the camera recorded it", async () => {
    const top = await plain(600, 200, "#ff0000").png().toBuffer();
    const photo = await plain(600, 600, "#0000ff")
      .composite([{ input: top, left: 0, top: 0 }])
      .jpeg()
      .withMetadata({ orientation: 3 })
      .toBuffer();
    const { bytes } = await render(photo);
    expect((await colorAt(bytes, 900, 600))[0]).toBeGreaterThan(200);
    expect((await colorAt(bytes, 900, 20))[2]).toBeGreaterThan(200);
  });

  it("shows the part of a photo that has the focus", async () => {
    const top = await plain(400, 300, "#ff0000").png().toBuffer();
    const photo = await plain(400, 1_200, "#0000ff")
      .composite([{ input: top, left: 0, top: 0 }])
      .jpeg()
      .toBuffer();
    const readColors = async (focus?: "top") => {
      const { bytes } = await render(photo, { image: { path: "/image", alt: "", focus } });
      return Promise.all([20, 600].map((y) => colorAt(bytes, 900, y)));
    };
    const [[red = 0] = [], [, , blue = 0] = []] = await readColors("top");
    expect(Math.min(red, blue)).toBeGreaterThan(200);
    const [[redInCenter = 0] = []] = await readColors();
    expect(redInCenter).toBeLessThan(50);
  });

  it("shows the harbor if its image cannot be shown, and says so in the log", async () => {
    const withoutImage = await render(null, { image: null });
    expect(withoutImage.isFinal).toBe(true);
    const unusable = {
      "is missing": null,
      "is not an image": Buffer.from("<!doctype html>"),
      "is damaged": (await noise().jpeg().toBuffer()).subarray(0, 40_000),
      "has too many pixels": await plain(5_000, 5_000, "#fff").png().toBuffer(),
    };
    for (const [what, image] of Object.entries(unusable)) {
      const { bytes, isFinal, log } = await render(image);
      expect(isFinal, what).toBe(false);
      expect(log.join(""), what).toContain("share_image.without_image");
      expect(Buffer.from(bytes).equals(withoutImage.bytes), what).toBe(true);
    }
  });
});
