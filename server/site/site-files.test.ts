import { hash } from "node:crypto";
import { cp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it } from "vitest";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { faqFile } from "../../app/features/faq/files.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { type PublicImages, publishImages } from "./public-images.ts";
import { openSite, readSite } from "./site-files.ts";
import { readImages } from "./site-images.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let city: string;
let lines: string[];
let prepared: string[];
let published: PublicImages;
beforeEach(async () => {
  folder = await temporaryFolder();
  city = join(folder.path, "city");
  lines = [];
  prepared = [];
  await cp("sites/baltimore", city, { recursive: true });
});
afterEach(() => folder.remove());

const log = createLog({ write: (line) => lines.push(line) });
const open = async (build = "a") => {
  const images = readImages(city);
  published = publishImages(city, {
    images,
    cacheFolder: join(folder.path, "cache"),
    photoFolders: ["news"],
    isNamed: (photo) => site.isNamed(photo),
    log,
  });
  const site = await openSite(city, [siteSettingsFile, faqFile, newsFolder], {
    images,
    log,
    onChange() {},
    prepareMedia(paths) {
      prepared.push(...paths);
      return published.prepare(paths);
    },
    track: (_name, work) => work(),
    lastGoodFolder: join(folder.path, "last-good"),
    build,
  });
  return site;
};
const createPhoto = (width: number) =>
  sharp({ create: { width, height: 300, channels: 3, background: "#345" } })
    .jpeg()
    .toBuffer();
const openAndStop = async (build?: string) => {
  const site = await open(build);
  site.stop();
  return site;
};

it("what a command has not read is not missing: to ask for it is an error", async () => {
  const site = await readSite(city, [faqFile]);
  expect(() => site.read(siteSettingsFile)).toThrow("site.yaml is not among the site files");
  expect(() => site.names(newsFolder)).toThrow("news is not among the site files");
  expect(() => site.readAll(newsFolder)).toThrow("news is not among");
  expect(() => site.hasPage("/radio")).toThrow("site.yaml is not among");
});

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
  await writeFile(join(city, "news/half-done.md"), "---\ntitle: Half a st");
  await rm(join(city, "site.yaml"));
  const after = await openAndStop();
  expect(after.read(faqFile)).toEqual(before.read(faqFile));
  expect(after.read(siteSettingsFile)).toEqual(before.read(siteSettingsFile));
  expect(after.readAll(newsFolder)).toEqual(before.readAll(newsFolder));
  expect(after.names(newsFolder)).toEqual(
    expect.arrayContaining([...before.names(newsFolder), "half-done"]),
  );
  for (const file of ["faq.yaml", "news/trash-wheel.md", "site.yaml"])
    expect(lines.join("")).toContain(`"event":"site.invalid_kept_last_good","file":"${file}"`);
  expect(new Set((await after.findProblems()).map(({ file }) => file)).size).toBe(4);

  await rm(join(folder.path, "last-good"), { recursive: true });
  await expect(openAndStop()).rejects.toThrow(
    /^The site files have problems:\n(.*\n)* {2}faq\.yaml: Line 1: indent with spaces/,
  );
});

it("a new story with a mistake does not bring back a removed one with the same name", async () => {
  await openAndStop();
  const story = join(city, "news/trash-wheel.md");
  await rm(story);
  await openAndStop();
  await writeFile(story, "---\ntitle: Half a st");
  const ids = (await openAndStop()).readAll(newsFolder).map(({ id }) => id);
  expect(ids).not.toContain("trash-wheel");
});

it("a start reuses the values of the last one for files that have not changed, of the same build", async () => {
  const first = await openAndStop();
  const parsedFile = join(folder.path, "last-good.parsed");
  const values: unknown = deserialize((await readFile(parsedFile)).subarray(32));
  if (!(values instanceof Map)) return expect.unreachable();
  expect(values.size).toBe(first.values.size + 1);
  const marked = new Map([...values].map(([key, value]) => [key, mark(value)]));
  const data = serialize(marked);
  await writeFile(parsedFile, Buffer.concat([hash("sha256", data, "buffer"), data]));
  await writeFile(
    join(city, "faq.yaml"),
    `# Read\n${await readFile(join(city, "faq.yaml"), "utf8")}`,
  );
  const second = await openAndStop();
  expect(second.read(siteSettingsFile).name).toBe("marked");
  expect(second.read(faqFile)).toEqual(first.read(faqFile));
  const other = await openAndStop("b");
  expect(other.read(siteSettingsFile)).toEqual(first.read(siteSettingsFile));
  for (const damaged of ["damaged", Buffer.concat([Buffer.alloc(32), data])]) {
    await writeFile(parsedFile, damaged);
    expect((await openAndStop()).read(siteSettingsFile)).toEqual(first.read(siteSettingsFile));
  }
});

const mark = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value
    ? { ...value, name: "marked" }
    : value;

it("stories stay while their folder cannot be read or is being replaced, and only a deleted story goes", async () => {
  const site = await open();
  const count = () => site.readAll(newsFolder).length;
  const before = count();
  const news = join(city, "news");
  const away = join(city, "news-away");
  try {
    await rename(news, away);
    await writeFile(news, "no folder");
    await expect.poll(() => lines.join("")).toContain('"event":"site.not_read"');
    expect(count()).toBe(before);
    await rm(news);
    await rename(away, news);
    await rm(join(news, "trash-wheel.md"));
    await expect.poll(count).toBe(before - 1);
    expect(lines.filter((line) => line.includes("site.removed"))).toHaveLength(1);
  } finally {
    site.stop();
  }
});

it("every story can be edited in place, even if there are hundreds", async () => {
  const source = await readFile(join(city, "news/trash-wheel.md"), "utf8");
  const path = (number: number) => join(city, `news/copy-${number}.md`);
  const numbers = Array.from({ length: 300 }, (_, number) => number);
  for (const number of numbers) await writeFile(path(number), source);
  const site = await open();
  const titles = () => new Set(site.readAll(newsFolder).map(({ front }) => front.title));
  try {
    for (const number of [0, 150, 299]) {
      const title = `Edited ${number}`;
      await writeFile(path(number), source.replace(/^title: .*$/m, `title: ${title}`));
      await expect.poll(titles).toContain(title);
    }
  } finally {
    site.stop();
  }
});

it("the photo next to a story is shown instead of one in art/, as soon as it is saved", async () => {
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
    await expect.poll(() => readImage()?.file).toMatch(/^\/photos\/news\//);
    expect(readImage()).toMatchObject({ width: 600 });
    // An earlier test may still prepare the photos of its stories.
    const expected = ["news/pier.jpg", "art/pier.jpg"];
    await expect.poll(() => prepared).toEqual(expect.arrayContaining(expected));
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

it("a photo is public only while a story names it", async () => {
  const story = join(city, "news/trash-wheel.md");
  const source = await readFile(story, "utf8");
  const text = "\n![A](pier-1.jpg)\n";
  await writeFile(story, source.replace("trash-wheel.svg", "pier.jpg") + text);
  for (const name of ["pier", "pier-1", "unused"])
    await writeFile(join(city, `news/${name}.jpg`), await createPhoto(400));
  const site = await open();
  const findPublic = async () => {
    const names = [
      "news/pier.jpg",
      "news/pier-1.jpg/400.webp",
      "news/unused.jpg",
      "art/crab-supper.svg",
    ];
    const found = await Promise.all(names.map((name) => published.find(name)));
    return names.filter((_name, index) => found[index] !== null);
  };
  try {
    expect(await findPublic()).toEqual([
      "news/pier.jpg",
      "news/pier-1.jpg/400.webp",
      "art/crab-supper.svg",
    ]);
    await rm(story);
    await expect.poll(findPublic).toEqual(["art/crab-supper.svg"]);
  } finally {
    site.stop();
  }
});

const withoutImage = { file: "", width: 0, height: 0, caption: null, credit: null };

/** A city with a story that shows the photo twice: as its main image, and in its text. */
async function openWithPhoto(photo: Uint8Array) {
  const story = join(city, "news/trash-wheel.md");
  const source = await readFile(story, "utf8");
  await writeFile(join(city, "news/pier.jpg"), photo);
  await writeFile(
    story,
    `${source.replace(/^( +)file: trash-wheel.svg$/m, "$1file: pier.jpg\n$1caption: Pier 5")}\n\n![The pier](pier.jpg)\n`,
  );
  const site = await open();
  const readStory = () => site.readAll(newsFolder).find(({ id }) => id === "trash-wheel");
  return { stop: site.stop, story, readStory, readImage: () => readStory()?.front.image };
}

it("a story stays without its photo when the photo is removed, and gets it back", async () => {
  const { stop, story, readStory, readImage } = await openWithPhoto(await createPhoto(600));
  try {
    const before = readStory();
    expect(before?.front.image).toMatchObject({ width: 600, caption: "Pier 5" });
    expect(before?.html).toContain('alt="The pier"');
    await rm(join(city, "news/pier.jpg"));
    await expect.poll(readImage).toMatchObject(withoutImage);
    expect(readStory()?.html).not.toContain("<img");
    expect(readStory()?.html).not.toContain("<p></p>");
    expect(lines.join("")).toContain("there is no pier.jpg in news/ or art/");

    await writeFile(join(city, "news/pier.jpg"), await createPhoto(600));
    await expect.poll(readStory).toEqual(before);

    // A mistake in the text leaves the last good version in use, but without the photo.
    await rm(join(city, "news/pier.jpg"));
    await writeFile(story, (await readFile(story, "utf8")).replace(/^title: .*$/m, "title: 42"));
    await expect.poll(readImage).toMatchObject(withoutImage);
    expect(readStory()?.front.title).toBe(before?.front.title);
  } finally {
    stop();
  }
});

it("a story is shown without its photo when the photo is replaced by a damaged one", async () => {
  const { stop, readStory, readImage } = await openWithPhoto(await createPhoto(600));
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const whole = await sharp({
    create: { width: 900, height: 600, channels: 3, background: "#345", noise },
  })
    .jpeg()
    .toBuffer();
  try {
    await writeFile(join(city, "news/pier.jpg"), whole.subarray(0, whole.length / 2));
    await expect.poll(readImage).toMatchObject(withoutImage);
    expect(readStory()?.html).not.toContain("<img");
    expect(lines.join("")).toContain("image.damaged");
    await writeFile(join(city, "news/pier.jpg"), whole);
    await expect.poll(readImage).toMatchObject({ width: 900, caption: "Pier 5" });
  } finally {
    stop();
  }
});
