import { enqueueImage, imageTimeoutSeconds } from "../../lib/images/image-queue.server.ts";
import type { AppIcon } from "./manifest.server.ts";

/** A phone may cut the icon down to a circle, so that a square mark loses its corners. */
const maskableShare = 0.7;
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** Draws an icon from the city's mark. */
export const drawIcon = (mark: Uint8Array, { side, purpose }: AppIcon): Promise<Uint8Array> =>
  enqueueImage("request", async (sharp) => {
    const markSide = purpose === "maskable" ? Math.round(side * maskableShare) : side;
    // A drawing is rendered at the size of the icon, because an enlarged one would be blurred.
    const { width = side, height = side, density = 72 } = await sharp(mark).metadata();
    const scaledDensity = Math.min(
      2_400,
      Math.ceil((density * markSide) / Math.min(width, height)),
    );
    const drawn = await sharp(mark, { density: scaledDensity, limitInputPixels: 64e6 })
      .resize({ width: markSide, height: markSide, fit: "contain", background: transparent })
      .png()
      .timeout({ seconds: imageTimeoutSeconds })
      .toBuffer();
    if (purpose === "any") return drawn;
    const [r = 0, g = 0, b = 0, opacity = 0] = await sharp(drawn)
      .ensureAlpha()
      .extract({ left: Math.floor(markSide / 2), top: 1, width: 1, height: 1 })
      .raw()
      .toBuffer();
    // The color of the mark's edge continues around it. A mark without a background gets white.
    const background = opacity === 255 ? { r, g, b } : "#ffffff";
    const left = Math.round((side - markSide) / 2);
    return sharp({ create: { width: side, height: side, channels: 3, background } })
      .composite([{ input: drawn, left, top: left }])
      .png()
      .timeout({ seconds: imageTimeoutSeconds })
      .toBuffer();
  });
