import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it } from "vitest";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { faqFile } from "../../app/features/faq/files.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { openSite } from "./site-files.ts";
import { readImages } from "./site-images.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let city: string;
let lines: string[];
let prepared: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  city = join(folder.path, "city");
  lines = [];
  prepared = [];
  await cp("sites/baltimore", city, { recursive: true });
});
afterEach(() => folder.remove());

const open = () =>
  openSite(city, [siteSettingsFile, faqFile, newsFolder], {
    images: readImages(city),
    log: createLog({ write: (line) => lines.push(line) }),
    onChange() {},
    async prepareMedia(paths) {
      prepared.push(...paths);
    },
    track: (_name, work) => work(),
    lastGoodFolder: join(folder.path, "last-good"),
  });
const openAndStop = async () => {
  const site = await open();
  site.stop();
  return site;
};

it("a site starts with the last good version of broken or missing files, and logs that", async () => {
  await openAndStop();
  const faq = join(city, "faq.yaml");
  await writeFile(faq, `# Checked by the editors\n${await readFile(faq, "utf8")}`);
  const readCopyTime = async () => (await stat(join(folder.path, "last-good/site.yaml"))).mtimeMs;
  const siteCopied = await readCopyTime();
  const before = await openAndStop();
  expect(await readFile(join(folder.path, "last-good/faq.yaml"), "utf8")).toContain(
    "# Checked by the editors",
  );
  expect(await readCopyTime(), "a file that has not changed is not copied again").toBe(siteCopied);
  await writeFile(join(city, "faq.yaml"), "\theading: FAQ\n");
  await writeFile(join(city, "news/trash-wheel.md"), "---\ntitle: Half a st");
  await rm(join(city, "site.yaml"));
  const after = await openAndStop();
  expect(after.read(faqFile)).toEqual(before.read(faqFile));
  expect(after.read(siteSettingsFile)).toEqual(before.read(siteSettingsFile));
  expect(after.readAll(newsFolder)).toEqual(before.readAll(newsFolder));
  for (const file of ["faq.yaml", "news/trash-wheel.md", "site.yaml"])
    expect(lines.join("")).toContain(`"event":"site.invalid_kept_last_good","file":"${file}"`);

  await rm(join(folder.path, "last-good"), { recursive: true });
  await expect(openAndStop()).rejects.toThrow("The site files have problems");
});

it("the photo next to a story is shown instead of one in art/, as soon as it is saved", async () => {
  const createPhoto = (width: number) =>
    sharp({ create: { width, height: 300, channels: 3, background: "#345" } })
      .jpeg()
      .toBuffer();
  const story = join(city, "news/trash-wheel.md");
  const source = await readFile(story, "utf8");
  await writeFile(story, source.replace("trash-wheel.svg", "pier.jpg"));
  await writeFile(join(city, "art/pier.jpg"), await createPhoto(400));
  const site = await open();
  const readImage = () =>
    site.readAll(newsFolder).find(({ id }) => id === "trash-wheel")?.front.image;
  try {
    expect(readImage()).toMatchObject({
      file: expect.stringMatching(/^\/art\/pier\.jpg\/400\.jpg\?v=[\w-]{10}$/),
      width: 400,
      height: 300,
    });
    await writeFile(join(city, "news/pier.jpg"), await createPhoto(600));
    await expect.poll(() => readImage()?.file, { timeout: 10_000 }).toMatch(/^\/photos\/news\//);
    expect(readImage()).toMatchObject({ width: 600 });
    expect(prepared).toEqual(["news/pier.jpg", "art/pier.jpg"]);
  } finally {
    site.stop();
  }
  // The story is still there after a restart, although its photos were removed.
  await rm(join(city, "news/pier.jpg"));
  await rm(join(city, "art/pier.jpg"));
  const restarted = await openAndStop();
  expect(restarted.readAll(newsFolder).map(({ id }) => id)).toContain("trash-wheel");
  expect(lines.join("")).toContain("there is no pier.jpg in news/ or art/");
});
