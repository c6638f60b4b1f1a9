import sharp from "sharp";
import {
  type Outline,
  type OutlineRequest,
  outlineTask,
} from "../../../app/features/share-images/feature.server.ts";
import { escapeHtml } from "../../../app/lib/text/html.ts";
import type { RunInWorker } from "../../../app/platform/worker-task.ts";
import type { CityPlan } from "./plan.ts";
import { listDrawings, readTemplate, render } from "./template.ts";

async function outline(runInWorker: RunInWorker, request: OutlineRequest): Promise<Outline> {
  const outcome = await runInWorker(outlineTask, request);
  if (outcome.kind !== "done") throw new Error(`Drawing a name took ${outcome.detail}.`);
  return outcome.value;
}

/** Draws the short name for the header, which can show it before the web font is loaded. */
export async function drawWordmark(runInWorker: RunInWorker, shortName: string): Promise<string> {
  const size = 25;
  // The lower edge is the baseline, because browsers align images in a line of text that way.
  const height = size * 0.72;
  const { width, path } = await outline(runInWorker, {
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

/** Draws the images of a new city, by their names in art/. */
export async function drawImages(
  runInWorker: RunInWorker,
  { name, shortName, city }: Pick<CityPlan, "name" | "shortName" | "city">,
): Promise<Map<string, string | Buffer>> {
  const images = new Map<string, string | Buffer>();
  for (const file of await listDrawings())
    if (!["mark.svg", "share.svg"].includes(file))
      images.set(file, await readTemplate(`art/${file}`));
  images.set("wordmark.svg", await drawWordmark(runInWorker, shortName));
  const mark = await drawMark(runInWorker, name, city);
  images.set("mark.svg", mark);
  images.set(
    "touch-icon.png",
    // An icon of a phone has no round corners of its own.
    await sharp(Buffer.from(mark.replace(' rx="12"', "")), {
      density: (72 * touchIconSize) / markSize,
    })
      .resize(touchIconSize)
      .png()
      .toBuffer(),
  );
  images.set("share.png", await drawShareImage(runInWorker, { name, shortName, city }));
  return images;
}

async function drawMark(runInWorker: RunInWorker, name: string, city: string): Promise<string> {
  const { width, path } = await outline(runInWorker, {
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
  runInWorker: RunInWorker,
  { name, shortName, city }: Pick<CityPlan, "name" | "shortName" | "city">,
): Promise<Buffer> {
  const draw = async (text: string, baseline: number) => {
    const request = { text, baseline, size: shareName.size, letterSpacing: -1 };
    const drawn = await outline(runInWorker, request);
    const size = Math.min(shareName.size, (shareName.size * shareName.maxWidth) / drawn.width);
    return size === shareName.size ? drawn : outline(runInWorker, { ...request, size });
  };
  const svg = render(await readTemplate("art/share.svg"), {
    name: escapeHtml(name),
    nameOutline: (await draw(shortName, shareName.firstBaseline)).path,
    cityOutline: (await draw(city, shareName.secondBaseline)).path,
  });
  return sharp(Buffer.from(svg)).png().toBuffer();
}
