import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../support/data-folder.ts";
import { makeNewCity } from "../support/new-city.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let server: RunningServer;
let city: string;

beforeAll(async () => {
  folder = await createDataFolder();
  city = join(folder.path, "sites/testville");
  await cp("sites/baltimore", city, { recursive: true });
  server = await startServer({ DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const fetchAboutPage = async () => (await fetch(`${server.url}/about`)).text();
/** We promise that a change is live within two seconds, but a busy machine may need longer. */
const pollOptions = { timeout: 15_000, interval: 50 };
const edit = async (file: string, change: (source: string) => string) => {
  const path = join(city, file);
  await writeFile(path, change(await readFile(path, "utf8")));
};

describe("an editor's change", () => {
  it("is live soon, without a restart", async () => {
    await edit("about.yaml", (source) =>
      source.replace("About Harborline Baltimore", "About Testville"),
    );
    await expect.poll(fetchAboutPage, pollOptions).toContain("About Testville");
  });

  it("with a link to the site's own origin keeps readers in their tab", async () => {
    const links =
      "[Terms](https://baltimore.harborline.example/terms#top) and [maps](https://maps.example/)";
    await appendFile(join(city, "privacy.md"), `\n${links}\n`);
    const fetchPrivacyPage = async () => (await fetch(`${server.url}/privacy`)).text();
    await expect.poll(fetchPrivacyPage, pollOptions).toContain('<a href="/terms#top">Terms</a>');
    expect(await fetchPrivacyPage()).toContain(
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
    await expect.poll(fetchAboutPage, pollOptions).toContain("About Renamed");
  });

  it("to the name of the site appears in the header, as text until there is a wordmark with the new name", async () => {
    const readBrandLink = async () =>
      /<header[\s\S]*?<\/a>/.exec(await fetchAboutPage())?.[0] ?? "";
    expect(await readBrandLink()).toMatch(/<svg [^>]*aria-hidden="true"/);
    await edit("site.yaml", (source) =>
      source.replace("shortName: Harborline", "shortName: Tidewater & Co"),
    );
    await expect.poll(readBrandLink, pollOptions).toContain("Tidewater &amp; Co");
    expect(await readBrandLink()).not.toContain("<svg");
    await edit("art/wordmark.svg", (source) => source.replace("Harborline", "Tidewater &#38; Co"));
    await expect.poll(readBrandLink, pollOptions).toContain("<svg");
    expect(await readBrandLink()).toContain("Tidewater &amp; Co");
    await rm(join(city, "art/wordmark.svg"));
    await expect.poll(readBrandLink, pollOptions).not.toContain("<svg");
  });

  it("to a photo is live soon: a removed photo leaves the story and its cards without an image", async () => {
    const photo = join(city, "news/pier-five.jpg");
    const create = { width: 900, height: 600, channels: 3, background: "#345" } as const;
    await writeFile(photo, await sharp({ create }).jpeg().toBuffer());
    const source = await readFile(join(city, "news/trash-wheel.md"), "utf8");
    await writeFile(
      join(city, "news/pier-five.md"),
      source
        .replace(/^( +)file: trash-wheel.svg$/m, "$1file: pier-five.jpg\n$1caption: At low tide.")
        .replace(/^date: .*$/m, "date: 2026-11-15")
        .replace(/^sample: .*\n/m, ""),
    );
    const paths = ["/news/pier-five", "/stories", "/", "/feeds/stories.atom"];
    const countPhotos = async () => {
      const texts = await Promise.all(
        paths.map(async (path) => (await fetch(server.url + path)).text()),
      );
      return texts.map((text) => text.includes("pier-five.jpg"));
    };
    await expect.poll(countPhotos, pollOptions).toEqual([true, true, true, true]);
    await rm(photo);
    await expect.poll(countPhotos, pollOptions).toEqual([false, false, false, false]);
    const page = await (await fetch(`${server.url}/news/pier-five`)).text();
    const article = /<article[\s\S]*?<\/article>/.exec(page)?.[0] ?? "";
    expect(article).not.toMatch(/<source|<img|<figure|At low tide/);
    expect(page).not.toContain('"/art/"');
    const shareImage = /property="og:image" content="https:\/\/[^/]+([^"]+)"/.exec(page)?.[1];
    expect((await fetch(server.url + shareImage)).status).toBe(200);
    await rm(join(city, "news/pier-five.md"));
  });

  it("that is invalid leaves the last valid version in use, and the log names the file, the line, the field and the problem", async () => {
    await edit("about.yaml", (source) => source.replace(/^heading: .*$/m, "heading: 42"));
    const findLine = () =>
      server
        .output()
        .split("\n")
        .find(
          (text) => text.includes("site.invalid_kept_last_good") && text.includes("about.yaml"),
        );
    await expect.poll(findLine, pollOptions).toBeDefined();
    expect(JSON.parse(findLine() ?? "")).toMatchObject({
      level: "warn",
      file: "about.yaml",
      line: 3,
      field: "heading",
    });
    expect(await fetchAboutPage()).toContain("About Renamed");
  });

  it("with invalid YAML does not stop the site either", async () => {
    await edit("home.yaml", (source) => source.replace(/^title: .*$/m, "title: *Important"));
    await expect.poll(() => server.output(), pollOptions).toContain('"file":"home.yaml"');
    expect((await fetch(server.url)).status).toBe(200);
  });

  it("to another file goes live while one file is invalid", async () => {
    await edit("donation.yaml", (source) =>
      source.replace("https://donate.harborline.example/baltimore", "https://give.example/x"),
    );
    await expect.poll(fetchAboutPage, pollOptions).toContain("https://give.example/x");
  });

  it("that fixes the mistake goes live", async () => {
    await edit("about.yaml", (source) => source.replace("heading: 42", "heading: About Fixed"));
    await expect.poll(fetchAboutPage, pollOptions).toContain("About Fixed");
  });

  it("that names a missing image does not go live", async () => {
    await edit("about.yaml", (source) => source.replace("file: about.svg", "file: nowhere.svg"));
    await expect
      .poll(() => server.output(), pollOptions)
      .toContain("there is no nowhere.svg in art/");
    expect(await fetchAboutPage()).toContain("/art/about.svg?v=");
    await edit("about.yaml", (source) => source.replace("file: nowhere.svg", "file: about.svg"));
  });

  it("that removes an image is reported with the file and line that name it", async () => {
    const findReports = () =>
      server.output().match(/"file":"radio\.yaml","line":\d+[^}]*there is no radio\.svg/g);
    await rename(join(city, "art/radio.svg"), join(folder.path, "radio.svg"));
    await expect.poll(findReports, pollOptions).toHaveLength(1);
    await rename(join(folder.path, "radio.svg"), join(city, "art/radio.svg"));
    await expect
      .poll(() => server.output(), pollOptions)
      .toContain('"event":"site.changed","file":"radio.yaml"');
  });

  it("to an image gives it a new URL on all pages, and the old URL shows the new image", async () => {
    const readImageUrl = async () =>
      /\/art\/about\.svg\?v=[\w-]+/.exec(await fetchAboutPage())?.[0] ?? "";
    const urlBefore = await readImageUrl();
    expect((await fetch(server.url + urlBefore)).headers.get("cache-control")).toContain(
      "immutable",
    );
    await edit("art/about.svg", (source) => source.replace("<svg", "<!-- drawn again --><svg"));
    await expect.poll(readImageUrl, pollOptions).not.toBe(urlBefore);
    expect(await (await fetch(server.url + (await readImageUrl()))).text()).toContain(
      "drawn again",
    );
    const oldUrlResponse = await fetch(server.url + urlBefore);
    expect(await oldUrlResponse.text()).toContain("drawn again");
    expect(oldUrlResponse.headers.get("cache-control")).toBe("no-cache");
  });

  it("that deletes a file leaves the last valid version in use", async () => {
    await rm(join(city, "terms.md"));
    await expect.poll(() => server.output(), pollOptions).toContain('"file":"terms.md"');
    expect((await fetch(`${server.url}/terms`)).status).toBe(200);
  });
});

describe("a new city without stories, events, posts or sources", () => {
  it("starts, has no empty boxes on its home page, and has only working pages", async () => {
    makeNewCity(join(folder.path, "new/testville"));
    const data = await createDataFolder();
    const newCity = await startServer({
      DATA_DIR: data.path,
      SITES_DIR: join(folder.path, "new"),
    });
    const getPage = async (path: string) => {
      const response = await fetch(newCity.url + path);
      return { status: response.status, html: await response.text() };
    };
    const homePage = (await getPage("/")).html;
    expect(homePage).not.toMatch(/carousel|news-grid|Featured|Did You Know/);
    const paths = new Set(
      [...homePage.matchAll(/href="(\/[\w./-]*)"/g)].map(([, path = ""]) => path),
    );
    expect(paths.size).toBeGreaterThan(25);
    for (const path of paths) expect([path, (await getPage(path)).status]).toEqual([path, 200]);
    await mkdir(join(folder.path, "new/testville/news"));
    await cp(
      "sites/baltimore/news/duckpins.md",
      join(folder.path, "new/testville/news/duckpins.md"),
    );
    const findCards = async () =>
      (await getPage("/")).html.match(/<article class="card news-card/g);
    await expect.poll(findCards, pollOptions).toHaveLength(1);
    await newCity.stop();
    await data.remove();
  });
});

describe("a city with a mistake from the start", () => {
  it("does not start, and the terminal says what to correct", async () => {
    const brokenCity = join(folder.path, "broken/testville");
    await cp("sites/baltimore", brokenCity, { recursive: true });
    await appendFile(join(brokenCity, "contact.yaml"), "fax: none\n");
    const env = { DATA_DIR: join(folder.path, "var2"), SITES_DIR: join(folder.path, "broken") };
    await expect(startServer(env)).rejects.toThrow(
      /contact\.yaml: Line \d+: fax is not a setting of this file\./,
    );
  });
});

/** Creates a large photo, taken with a rotated camera, with the location in its metadata. */
const createCameraPhoto = () =>
  sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: "#345" } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { ImageDescription: "Secret Street 5" }, IFD3: { GPSLatitudeRef: "N" } })
    .jpeg()
    .toBuffer();

describe("a folder of stories", () => {
  const createStory = (title: string) => `---
title: ${title}
excerpt: Short.
category: Test
date: 2026-11-15
image: { file: hero.svg, alt: The harbor }
---
Words.`;
  const readStatus = async (id: string) => (await fetch(`${server.url}/news/${id}`)).status;

  it("publishes a new story when its file is saved, and withdraws the story when the file is deleted", async () => {
    expect(await readStatus("brand-new")).toBe(404);
    await writeFile(join(city, "news/brand-new.md"), createStory("Brand new"));
    await expect.poll(() => readStatus("brand-new"), pollOptions).toBe(200);
    await rm(join(city, "news/brand-new.md"));
    await expect.poll(() => readStatus("brand-new"), pollOptions).toBe(410);
  });

  it("refuses a file that is too large without reading it, and keeps the last valid version in use", async () => {
    await writeFile(join(city, "news/growing.md"), createStory("Growing"));
    await expect.poll(() => readStatus("growing"), pollOptions).toBe(200);
    await appendFile(join(city, "news/growing.md"), "*word* ".repeat(800_000));
    await expect
      .poll(() => server.output(), pollOptions)
      .toMatch(/"file":"news\/growing\.md"[^}]*is 5,469 KB/);
    expect(await readStatus("growing")).toBe(200);
  });

  it("shows the photo next to its file, replaces it, and stays when the photo is taken down", async () => {
    const readPage = async () => (await fetch(`${server.url}/news/photo`)).text();
    const findVariants = async () => [
      ...new Set((await readPage()).match(/\/photos\/news\/IMG_0042\.JPG\/\d+\.\w+\?v=[\w-]+/g)),
    ];
    await writeFile(join(city, "news/IMG_0042.JPG"), await createCameraPhoto());
    await writeFile(
      join(city, "news/photo.md"),
      createStory("Photo").replace("hero.svg", "IMG_0042.JPG"),
    );
    await expect.poll(() => readStatus("photo"), pollOptions).toBe(200);
    // The camera stored the photo on its side.
    expect(await readPage()).toMatch(/<img [^>]*width="1333" height="2000"/);
    const variants = await findVariants();
    expect(variants).toHaveLength(9);
    for (const path of [...variants, "/photos/news/IMG_0042.JPG"]) {
      const response = await fetch(server.url + path);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.includes("Secret Street")).toBe(false);
      const { width, height, exif, orientation } = await sharp(bytes).metadata();
      const [, expectedWidth = 1333, extension = "jpg"] = /(\d+)\.(\w+)\?/.exec(path) ?? [];
      expect({ path, width, height, exif, orientation }).toEqual({
        path,
        width: Number(expectedWidth),
        height: Math.round(Number(expectedWidth) * 1.5),
      });
      expect(response.headers.get("content-type")).toBe(
        `image/${extension === "jpg" ? "jpeg" : extension}`,
      );
      expect(response.headers.get("cache-control")).toBe(
        path.includes("?v=") ? "public, max-age=86400, immutable" : "no-cache",
      );
    }

    await writeFile(
      join(city, "news/IMG_0042.JPG"),
      await sharp({ create: { width: 900, height: 600, channels: 3, background: "#345" } })
        .jpeg()
        .toBuffer(),
    );
    await expect
      .poll(findVariants, pollOptions)
      .toContainEqual(expect.stringMatching(/\/900\.avif/));

    await rm(join(city, "news/IMG_0042.JPG"));
    await expect
      .poll(() => server.output(), pollOptions)
      .toContain("there is no IMG_0042.JPG in news/ or art/");
    expect((await fetch(`${server.url}/photos/news/IMG_0042.JPG/900.avif`)).status).toBe(404);
    expect(await readStatus("photo")).toBe(200);
  });

  it("leaves out a story with a mistake, and the log names the mistake", async () => {
    await writeFile(
      join(city, "news/invalid.md"),
      createStory("Invalid").replace("2026-11-15", "yesterday"),
    );
    await writeFile(join(city, "news/My Story.md"), createStory("Named wrongly"));
    await expect
      .poll(() => server.output(), pollOptions)
      .toMatch(/"file":"news\/invalid\.md","line":5,"field":"date"/);
    expect(server.output()).toContain("rename the file to my-story.md");
    expect(await readStatus("invalid")).toBe(404);
    expect(await readStatus("trash-wheel")).toBe(200);
  });

  it("keeps every story while the city folder is missing, and continues when the folder is back", async () => {
    // A named pipe in place of a story must not block the other stories.
    execFileSync("mkfifo", [join(city, "news/pipe.md")]);
    await rename(city, `${city}-away`);
    await expect
      .poll(() => server.output(), pollOptions)
      .toContain('"event":"site.folder_missing"');
    expect(await readStatus("trash-wheel")).toBe(200);
    await writeFile(join(`${city}-away`, "news/back-again.md"), createStory("Back again"));
    await rename(`${city}-away`, city);
    await expect.poll(() => readStatus("back-again"), pollOptions).toBe(200);
    expect(await readStatus("trash-wheel")).toBe(200);
    expect(server.output()).not.toContain('"event":"site.removed","file":"news/trash-wheel.md"');
  });
});
