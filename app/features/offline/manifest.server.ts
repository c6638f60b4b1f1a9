import { artPath } from "../../lib/images/art.ts";
import { enqueueImage, imageTimeoutSeconds } from "../../lib/images/image-queue.server.ts";
import type { Shades } from "../../lib/look/palette.ts";
import type { SiteSettings } from "../brand/files.server.ts";

/** The icons that browsers and phones ask for. "maskable" may be cut to any shape. */
export const appIcons = [
  { name: "192", side: 192, purpose: "any" },
  { name: "512", side: 512, purpose: "any" },
  { name: "maskable-512", side: 512, purpose: "maskable" },
] as const;

type AppIcon = (typeof appIcons)[number];

export const appIconPrefix = "/icons/";

type Identity = Pick<SiteSettings, "name" | "shortName" | "description" | "mark">;

/** The web app manifest, with which readers can install the site as an app. */
export function writeManifest({ name, shortName, description, mark }: Identity, paper: Shades) {
  const version = /\?.*$/.exec(artPath(mark))?.[0] ?? "";
  return {
    id: "/",
    name,
    short_name: shortName,
    description,
    lang: "en-US",
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    theme_color: paper.light,
    background_color: paper.light,
    categories: ["news"],
    icons: appIcons.map(({ name: file, side, purpose }) => ({
      src: `${appIconPrefix}${file}.png${version}`,
      sizes: `${side}x${side}`,
      type: "image/png",
      purpose,
    })),
  };
}

/**
 * A phone may cut a maskable icon down to a circle with a diameter of 80 percent. With this width,
 * a square mark loses at most its corners.
 */
const maskableShare = 0.7;
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

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
