import sharp from "sharp";
import { expect, it } from "vitest";
import { findFileErrors, prepareImages } from "./images.server.ts";

/** A small file whose header claims to be a progressive JPEG with 25 million pixels. */
async function hugeProgressive(): Promise<Uint8Array<ArrayBuffer>> {
  const small = await sharp({ create: { width: 16, height: 16, channels: 3, background: "#875" } })
    .jpeg({ progressive: true })
    .toBuffer();
  const bytes = new Uint8Array(small);
  const frame = small.indexOf(Buffer.from([0xff, 0xc2]));
  new DataView(bytes.buffer).setUint16(frame + 5, 5_000);
  new DataView(bytes.buffer).setUint16(frame + 7, 5_000);
  return bytes;
}

it("an image that needs too much memory is refused, and the message names the limit", async () => {
  const file = new File([await hugeProgressive()], "flood.jpg");
  expect(await prepareImages([file])).toEqual({
    kind: "refused",
    errors: {
      images: "“flood.jpg” has more than 24 million pixels.",
    },
  });
});

it("without scripts, a reader can choose too many photos, and is asked to choose three", async () => {
  const chosen = Array.from({ length: 4 }, () => new File([], "pier.jpg"));
  expect(await findFileErrors(chosen)).toEqual({ images: "Please choose up to 3 photos." });
});
