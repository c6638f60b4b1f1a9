import sharp from "sharp";
import type { Look } from "../../../app/features/brand/feature.server.ts";
import {
  type Outline,
  type OutlineRequest,
  outlineTask,
} from "../../../app/features/share-images/feature.server.ts";
import { escapeHtml } from "../../../app/lib/text/html.ts";
import type { RunInWorker } from "../../../app/platform/worker-task.ts";
import { recolor } from "./recolor.ts";
import { listDrawings, readTemplate, readTemplateLook, render } from "./template.ts";

/** What the images of a city show. */
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

/** Draws one of these images in the colors and fonts of the city. */
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
