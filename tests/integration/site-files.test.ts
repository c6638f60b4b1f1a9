import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder } from "../support/data-folder.ts";
import { makeNewCity } from "../support/new-city.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let server: RunningServer;
let city: string;

beforeAll(async () => {
  folder = await dataFolder();
  city = join(folder.path, "sites/testville");
  await cp("sites/baltimore", city, { recursive: true });
  server = await startServer({ DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const aboutPage = async () => (await fetch(`${server.url}/about`)).text();
/** We promise two seconds; polling finds the change as soon as it is live. */
const soon = { timeout: 15_000, interval: 50 };
const edit = async (file: string, change: (source: string) => string) => {
  const path = join(city, file);
  await writeFile(path, change(await readFile(path, "utf8")));
};

describe("an editor's change", () => {
  it("is live soon, without a restart", async () => {
    await edit("about.yaml", (source) =>
      source.replace("About Harborline Baltimore", "About Testville"),
    );
    await expect.poll(aboutPage, soon).toContain("About Testville");
  });

  it("with a link to the site's own origin keeps readers in their tab", async () => {
    const own =
      "[Terms](https://baltimore.harborline.example/terms#top) and [maps](https://maps.example/)";
    await appendFile(join(city, "privacy.md"), `\n${own}\n`);
    const page = async () => (await fetch(`${server.url}/privacy`)).text();
    await expect.poll(page, soon).toContain('<a href="/terms#top">Terms</a>');
    expect(await page()).toContain(
      '<a href="https://maps.example/" target="_blank" rel="noopener">maps',
    );
  });

  it("is noticed when the editor's program saves by renaming a new file into place", async () => {
    const source = await readFile(join(city, "about.yaml"), "utf8");
    await writeFile(
      join(city, "about.yaml.tmp"),
      source.replace("About Testville", "About Renamed"),
    );
    await rename(join(city, "about.yaml.tmp"), join(city, "about.yaml"));
    await expect.poll(aboutPage, soon).toContain("About Renamed");
  });

  it("to the name of the site appears in the header, as text until there is a wordmark of the new name", async () => {
    const brandLink = async () => /<header[\s\S]*?<\/a>/.exec(await aboutPage())?.[0] ?? "";
    expect(await brandLink()).toMatch(/<svg [^>]*aria-hidden="true"/);
    await edit("site.yaml", (source) =>
      source.replace("shortName: Harborline", "shortName: Tidewater & Co"),
    );
    await expect.poll(brandLink, soon).toContain("Tidewater &amp; Co");
    expect(await brandLink()).not.toContain("<svg");
    await edit("art/wordmark.svg", (source) => source.replace("Harborline", "Tidewater &#38; Co"));
    await expect.poll(brandLink, soon).toContain("<svg");
    expect(await brandLink()).toContain("Tidewater &amp; Co");
    await rm(join(city, "art/wordmark.svg"));
    await expect.poll(brandLink, soon).not.toContain("<svg");
  });

  it("that is invalid keeps the last valid version in use, and the log names file, line, field and problem", async () => {
    await edit("about.yaml", (source) => source.replace(/^heading: .*$/m, "heading: 42"));
    await expect.poll(() => server.output(), soon).toContain("site.invalid_kept_last_good");
    const line = server
      .output()
      .split("\n")
      .find((text) => text.includes("site.invalid_kept_last_good"));
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "warn",
      file: "about.yaml",
      line: 3,
      field: "heading",
    });
    expect(await aboutPage()).toContain("About Renamed");
  });

  it("with invalid YAML does not stop the site either", async () => {
    await edit("home.yaml", (source) => source.replace(/^title: .*$/m, "title: *Important"));
    await expect.poll(() => server.output(), soon).toContain('"file":"home.yaml"');
    expect((await fetch(server.url)).status).toBe(200);
  });

  it("to another file goes live while one file is invalid", async () => {
    await edit("donation.yaml", (source) =>
      source.replace("https://donate.harborline.example/baltimore", "https://give.example/x"),
    );
    await expect.poll(aboutPage, soon).toContain("https://give.example/x");
  });

  it("that fixes the mistake goes live", async () => {
    await edit("about.yaml", (source) => source.replace("heading: 42", "heading: About Fixed"));
    await expect.poll(aboutPage, soon).toContain("About Fixed");
  });

  it("that names a missing image does not go live", async () => {
    await edit("about.yaml", (source) => source.replace("file: about.svg", "file: nowhere.svg"));
    await expect.poll(() => server.output(), soon).toContain("there is no nowhere.svg in art/");
    expect(await aboutPage()).toContain("/art/about.svg?v=");
    await edit("about.yaml", (source) => source.replace("file: nowhere.svg", "file: about.svg"));
  });

  it("that removes an image is reported with the file and line that name it", async () => {
    const reports = () =>
      server.output().match(/"file":"radio\.yaml","line":\d+[^}]*there is no radio\.svg/g);
    await rename(join(city, "art/radio.svg"), join(folder.path, "radio.svg"));
    await expect.poll(reports, soon).toHaveLength(1);
    await rename(join(folder.path, "radio.svg"), join(city, "art/radio.svg"));
    await expect
      .poll(() => server.output(), soon)
      .toContain('"event":"site.changed","file":"radio.yaml"');
  });

  it("to an image gets a new URL on all pages, and the old URL shows the new image", async () => {
    const imageUrl = async () => /\/art\/about\.svg\?v=[\w-]+/.exec(await aboutPage())?.[0] ?? "";
    const before = await imageUrl();
    expect((await fetch(server.url + before)).headers.get("cache-control")).toContain("immutable");
    await edit("art/about.svg", (source) => source.replace("<svg", "<!-- drawn again --><svg"));
    await expect.poll(imageUrl, soon).not.toBe(before);
    expect(await (await fetch(server.url + (await imageUrl()))).text()).toContain("drawn again");
    const old = await fetch(server.url + before);
    expect(await old.text()).toContain("drawn again");
    expect(old.headers.get("cache-control")).toBe("no-cache");
  });

  it("that deletes a file keeps the last valid version in use", async () => {
    await rm(join(city, "terms.md"));
    await expect.poll(() => server.output(), soon).toContain('"file":"terms.md"');
    expect((await fetch(`${server.url}/terms`)).status).toBe(200);
  });
});

describe("a new city without stories, events, posts and sources", () => {
  it("starts, has no empty boxes on its front page, and all its pages work", async () => {
    makeNewCity(join(folder.path, "new/testville"));
    const data = await dataFolder();
    const newCity = await startServer({
      DATA_DIR: data.path,
      SITES_DIR: join(folder.path, "new"),
    });
    const getPage = async (path: string) => {
      const response = await fetch(newCity.url + path);
      return { status: response.status, html: await response.text() };
    };
    const front = (await getPage("/")).html;
    expect(front).not.toMatch(/carousel|news-grid|Featured|Did You Know/);
    const paths = new Set([...front.matchAll(/href="(\/[\w./-]*)"/g)].map(([, path = ""]) => path));
    expect(paths.size).toBeGreaterThan(25);
    for (const path of paths) expect([path, (await getPage(path)).status]).toEqual([path, 200]);
    await mkdir(join(folder.path, "new/testville/news"));
    await cp(
      "sites/baltimore/news/duckpins.md",
      join(folder.path, "new/testville/news/duckpins.md"),
    );
    const cards = async () => (await getPage("/")).html.match(/<article class="card news-card/g);
    await expect.poll(cards, soon).toHaveLength(1);
    await newCity.stop();
    await data.remove();
  });
});

describe("a city with a mistake from the start", () => {
  it("does not start, and the terminal says what to correct", async () => {
    const broken = join(folder.path, "broken/testville");
    await cp("sites/baltimore", broken, { recursive: true });
    await appendFile(join(broken, "contact.yaml"), "fax: none\n");
    const env = { DATA_DIR: join(folder.path, "var2"), SITES_DIR: join(folder.path, "broken") };
    await expect(startServer(env)).rejects.toThrow(
      /contact\.yaml: Line \d+: fax is not a setting of this file\./,
    );
  });
});

/** A large photo, taken with a rotated camera, with the location in its metadata. */
const cameraPhoto = () =>
  sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: "#345" } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { ImageDescription: "Secret Street 5" }, IFD3: { GPSLatitudeRef: "N" } })
    .jpeg()
    .toBuffer();

describe("a folder of stories", () => {
  const story = (title: string) => `---
title: ${title}
excerpt: Short.
category: Test
date: 2026-11-15
image: { file: hero.svg, alt: The harbor }
---
Words.`;
  const status = async (id: string) => (await fetch(`${server.url}/news/${id}`)).status;

  it("publishes a new story when its file is saved, and withdraws it when the file is removed", async () => {
    expect(await status("brand-new")).toBe(404);
    await writeFile(join(city, "news/brand-new.md"), story("Brand new"));
    await expect.poll(() => status("brand-new"), soon).toBe(200);
    await rm(join(city, "news/brand-new.md"));
    await expect.poll(() => status("brand-new"), soon).toBe(404);
  });

  it("refuses a text that is too large without reading it, and keeps the last valid version in use", async () => {
    await writeFile(join(city, "news/growing.md"), story("Growing"));
    await expect.poll(() => status("growing"), soon).toBe(200);
    await appendFile(join(city, "news/growing.md"), "*word* ".repeat(800_000));
    await expect
      .poll(() => server.output(), soon)
      .toMatch(/"file":"news\/growing\.md"[^}]*is 5,469 KB/);
    expect(await status("growing")).toBe(200);
  });

  it("shows a photo upright, scaled down and without metadata", async () => {
    await writeFile(join(city, "art/IMG_0042.JPG"), await cameraPhoto());
    await writeFile(
      join(city, "news/photo.md"),
      story("Photo").replace("hero.svg", "IMG_0042.JPG"),
    );
    await expect.poll(() => status("photo"), soon).toBe(200);
    const page = await (await fetch(`${server.url}/news/photo`)).text();
    const [, imageUrl = "", width, height] =
      /src="(\/art\/IMG_0042\.JPG\?v=[\w-]+)"[^>]*width="(\d+)" height="(\d+)"/.exec(page) ?? [];
    expect([width, height]).toEqual(["1333", "2000"]);
    for (const path of [imageUrl, "/art/IMG_0042.JPG"]) {
      const response = await fetch(server.url + path);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get("content-type")).toBe("image/jpeg");
      expect(bytes.includes("Secret Street")).toBe(false);
      const { width, height, exif, orientation } = await sharp(bytes).metadata();
      expect({ width, height, exif, orientation }).toEqual({ width: 1333, height: 2000 });
    }
    await rm(join(city, "art/IMG_0042.JPG"));
    expect((await fetch(`${server.url}/art/IMG_0042.JPG`)).status).toBe(404);
  });

  it("leaves out a story with a mistake, and says what it is", async () => {
    await writeFile(
      join(city, "news/invalid.md"),
      story("Invalid").replace("2026-11-15", "yesterday"),
    );
    await writeFile(join(city, "news/My Story.md"), story("Named wrongly"));
    await expect
      .poll(() => server.output(), soon)
      .toMatch(/"file":"news\/invalid\.md","line":5,"field":"date"/);
    expect(server.output()).toContain("rename the file to my-story.md");
    expect(await status("invalid")).toBe(404);
    expect(await status("trash-wheel")).toBe(200);
  });

  it("keeps every story while the city folder is missing, and continues when it is back", async () => {
    // A named pipe in place of a story must not block the others.
    execFileSync("mkfifo", [join(city, "news/pipe.md")]);
    await rename(city, `${city}-away`);
    await expect.poll(() => server.output(), soon).toContain('"event":"site.folder_missing"');
    expect(await status("trash-wheel")).toBe(200);
    await writeFile(join(`${city}-away`, "news/back-again.md"), story("Back again"));
    await rename(`${city}-away`, city);
    await expect.poll(() => status("back-again"), soon).toBe(200);
    expect(await status("trash-wheel")).toBe(200);
    expect(server.output()).not.toContain('"event":"site.removed","file":"news/trash-wheel.md"');
  });
});
