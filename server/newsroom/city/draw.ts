import sharp from "sharp";
import type { Look } from "../../../app/features/brand/feature.server.ts";
import {
  type Outline,
  type OutlineRequest,
  outlineTask,
} from "../../../app/features/share-images/feature.server.ts";
import type { Palette } from "../../../app/lib/look/palette.ts";
import { escapeHtml } from "../../../app/lib/text/html.ts";
import type { RunInWorker } from "../../../app/platform/worker-task.ts";
import { listDrawings, readTemplate, readTemplateLook, render } from "./template.ts";

export type CityIdentity = { name: string; shortName: string; city: string; look: Look };

type DrawOutline = (request: Omit<OutlineRequest, "fonts">) => Promise<Outline>;

/** The images that are drawn from the names of a city. The others are only colored. */
const ownImages = ["wordmark.svg", "mark.svg", "touch-icon.png", "share.png"];

/** Lists the images of a new city, by their names in art/. */
export const listImages = async (): Promise<string[]> => [
  ...ownImages,
  ...(await listDrawings()).filter((file) => !["mark.svg", "share.svg"].includes(file)),
];

/** The mark of our own drawings, so that we never replace the work of somebody else. */
const artist = "newsroom city draw";

export const isOurDrawing = (file: Buffer): boolean => file.includes(artist);

export async function drawImage(
  runInWorker: RunInWorker,
  image: string,
  identity: CityIdentity,
): Promise<string | Buffer> {
  const drawing = await draw(runInWorker, image, identity);
  return typeof drawing === "string"
    ? drawing.replace("<svg ", `<svg data-drawn-by="${artist}" `)
    : sharp(drawing)
        .withExif({ IFD0: { Software: artist } })
        .png()
        .toBuffer();
}

async function draw(
  runInWorker: RunInWorker,
  image: string,
  identity: CityIdentity,
): Promise<string | Buffer> {
  const { look } = identity;
  const outline: DrawOutline = async (request) => {
    const outcome = await runInWorker(outlineTask, { ...request, fonts: look.fonts });
    if (outcome.kind !== "done") throw new Error(`Drawing a name took ${outcome.detail}.`);
    return outcome.value;
  };
  const { colors } = await readTemplateLook();
  const color = (svg: string) => recolor(svg, colors, look.colors);
  switch (image) {
    case "wordmark.svg":
      return drawWordmark(outline, identity);
    case "mark.svg":
      return color(await drawMark(outline, identity));
    case "touch-icon.png":
      return drawTouchIcon(color(await drawMark(outline, identity)));
    case "share.png":
      return sharp(Buffer.from(color(await drawShareImage(outline, identity))))
        .png()
        .toBuffer();
    default:
      return color(await readTemplate(`art/${image}`));
  }
}

/** Draws the short name for the header, which can show it before the web font is loaded. */
async function drawWordmark(outline: DrawOutline, { shortName }: CityIdentity): Promise<string> {
  const size = 25;
  // The lower edge is the baseline, because browsers align images in a line of text that way.
  const height = size * 0.72;
  const { width, path } = await outline({
    text: shortName,
    size,
    baseline: height,
    letterSpacing: -size / 40,
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" overflow="visible">
<title>${escapeHtml(shortName)}</title>
<path d="${path}"/>
</svg>
`;
}

const touchIconSize = 180;
const markSize = 64;
/** The share image has its name in two lines, the city in the second. */
const shareName = { size: 76, firstBaseline: 60, secondBaseline: 142, maxWidth: 1056 };

/** An icon of a phone has no round corners of its own. */
const drawTouchIcon = (mark: string): Promise<Buffer> =>
  sharp(Buffer.from(mark.replace(' rx="12"', "")), { density: (72 * touchIconSize) / markSize })
    .resize(touchIconSize)
    .png()
    .toBuffer();

async function drawMark(outline: DrawOutline, { name, city }: CityIdentity): Promise<string> {
  const { width, path } = await outline({
    text: city.slice(0, 1).toUpperCase(),
    size: 46,
    baseline: 34,
    letterSpacing: 0,
  });
  return render(await readTemplate("art/mark.svg"), {
    name: escapeHtml(name),
    initialOutline: path,
    initialLeft: (markSize - width) / 2,
  });
}

async function drawShareImage(
  outline: DrawOutline,
  { name, shortName, city }: CityIdentity,
): Promise<string> {
  const draw = async (text: string, baseline: number) => {
    const request = { text, baseline, size: shareName.size, letterSpacing: -1 };
    const drawn = await outline(request);
    const size = Math.min(shareName.size, (shareName.size * shareName.maxWidth) / drawn.width);
    return size === shareName.size ? drawn : outline({ ...request, size });
  };
  return render(await readTemplate("art/share.svg"), {
    name: escapeHtml(name),
    nameOutline: (await draw(shortName, shareName.firstBaseline)).path,
    cityOutline: (await draw(city, shareName.secondBaseline)).path,
  });
}

/**
 * Groups of related colors in a drawing, which change with the colors of the city. A color belongs
 * to a group if its hue, in degrees, is near that of the group and if it is colorful enough. All
 * other colors, such as those of wood, brick, leaves and stone, are the same in every city.
 */
const families = [
  { name: "band", maxDistance: 25, minChroma: 0.02 },
  { name: "highlight", maxDistance: 14, minChroma: 0.08 },
  { name: "signal", maxDistance: 12, minChroma: 0.15 },
] as const;

/** A color as people see it: lightness, colorfulness and hue (OKLCH). */
type Seen = { lightness: number; chroma: number; hue: number };

export function recolor(svg: string, from: Palette, to: Palette): string {
  const changes = families.map(({ name, ...reach }) => ({
    reach,
    from: toSeen(from[name].light),
    to: toSeen(to[name].light),
  }));
  return svg.replaceAll(/#[0-9a-f]{6}\b/g, (color) => {
    const seen = toSeen(color);
    const change = changes.find(
      ({ from: { hue }, reach }) =>
        seen.chroma >= reach.minChroma && distance(seen.hue, hue) <= reach.maxDistance,
    );
    if (!change) return color;
    return toHex({
      lightness: seen.lightness + change.to.lightness - change.from.lightness,
      chroma: (seen.chroma * change.to.chroma) / change.from.chroma,
      hue: seen.hue + change.to.hue - change.from.hue,
    });
  });
}

const distance = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const toGamma = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;

// The numbers are those of https://bottosson.github.io/posts/oklab/.
function toSeen(color: string): Seen {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) =>
    toLinear(Number.parseInt(color.slice(start, start + 2), 16) / 255),
  );
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const one = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const two = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(one, two),
    hue: (Math.atan2(two, one) * 180) / Math.PI,
  };
}

function toHex({ lightness, chroma, hue }: Seen): string {
  const one = chroma * Math.cos((hue * Math.PI) / 180);
  const two = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * one + 0.2158037573 * two) ** 3;
  const m = (lightness - 0.1055613458 * one - 0.0638541728 * two) ** 3;
  const s = (lightness - 0.0894841775 * one - 1.291485548 * two) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const toByte = (channel: number) => Math.round(255 * toGamma(Math.min(1, Math.max(0, channel))));
  return `#${channels.map((channel) => toByte(channel).toString(16).padStart(2, "0")).join("")}`;
}
