import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { makeNewCity } from "../support/new-city.ts";
import { startServer, temporaryFolder } from "../support/server.ts";

let city: TestCity;
beforeAll(async () => {
  city = await startCity(
    {
      "news/duckpins.md": (source) => source.replace("---\n", "---\ndraft: true\n"),
      "news/lighthouse.md": (source) => source.replace(/^date: .*$/m, "date: 2026-11-16"),
    },
    { FAKE_NOW: "2026-11-15T15:00:00Z" },
  );
});
afterAll(() => city?.close());

const getPage = async (path: string) => (await fetch(city.server.url + path)).text();
const readLog = () => city.server.output();

// Each test changes different files, so that the tests do not depend on each other.
describe("an editor's change", () => {
  it("is live soon, without a restart, also on a page that was cached", async () => {
    expect(await getPage("/partners")).toContain("Our Partners");
    await city.edit("partners.yaml", (source) => source.replace("Our Partners", "Our Friends"));
    await expect.poll(() => getPage("/partners")).toContain("Our Friends");
  });

  it("to the network, which all cities share, is live too", async () => {
    expect(await getPage("/about")).toContain("Harborline Norfolk");
    await city.edit("../network.yaml", (source) =>
      source.replace("Harborline Norfolk", "Harborline Tidewater"),
    );
    await expect.poll(() => getPage("/about")).toContain("Harborline Tidewater");
    await city.edit("../network.yaml", (source) => source.replace("name: Harborline\n", ""));
    await city.server.waitForOutput('"file":"../network.yaml","line":1');
    expect(await getPage("/about")).toContain("Harborline Tidewater");
  });

  it("with a link to the site's own origin keeps readers in their tab", async () => {
    const links =
      "[Terms](https://baltimore.harborline.example/terms#top) and [maps](https://maps.example/)";
    await appendFile(join(city.siteFolder, "privacy.md"), `\n${links}\n`);
    await expect.poll(() => getPage("/privacy")).toContain('<a href="/terms#top">Terms</a>');
    expect(await getPage("/privacy")).toContain(
      '<a href="https://maps.example/" target="_blank" rel="noopener">maps',
    );
  });

  it("is noticed when the editor's program saves by renaming a new file into place", async () => {
    const file = join(city.siteFolder, "faq.yaml");
    const source = await readFile(file, "utf8");
    await writeFile(`${file}.tmp`, source.replace(/^title: .*$/m, "title: Renamed Questions"));
    await rename(`${file}.tmp`, file);
    await expect.poll(() => getPage("/faq")).toContain("Renamed Questions");
  });

  it("to the name of the site appears in the header, as text until there is a wordmark with the new name", async () => {
    const readBrandLink = async () =>
      /<header[\s\S]*?<\/a>/.exec(await getPage("/contact"))?.[0] ?? "";
    expect(await readBrandLink()).toMatch(/<svg [^>]*aria-hidden="true"/);
    await city.edit("site.yaml", (source) =>
      source.replace("shortName: Harborline", "shortName: Tidewater & Co"),
    );
    await expect.poll(readBrandLink).toContain("Tidewater &amp; Co");
    expect(await readBrandLink()).not.toContain("<svg");
    await city.edit("art/wordmark.svg", (source) =>
      source.replace("Harborline", "Tidewater &#38; Co"),
    );
    await expect.poll(readBrandLink).toContain("<svg");
    expect(await readBrandLink()).toContain("Tidewater &amp; Co");
    await rm(join(city.siteFolder, "art/wordmark.svg"));
    await expect.poll(readBrandLink).not.toContain("<svg");
  });

  it("that is invalid leaves the last valid version in use until it is fixed, while other changes go live", async () => {
    await city.edit("about.yaml", (source) => source.replace(/^heading: .*$/m, "heading: 42"));
    const findLine = () =>
      readLog()
        .split("\n")
        .find(
          (line) => line.includes("site.invalid_kept_last_good") && line.includes("about.yaml"),
        );
    await expect.poll(findLine).toBeDefined();
    expect(JSON.parse(findLine() ?? "")).toMatchObject({
      level: "warn",
      file: "about.yaml",
      line: 3,
      field: "heading",
    });
    await city.edit("donation.yaml", (source) =>
      source.replace("https://donate.harborline.example/baltimore", "https://give.example/x"),
    );
    await expect.poll(() => getPage("/about")).toContain("https://give.example/x");
    expect(await getPage("/about")).toContain("About Harborline Baltimore");
    await city.edit("about.yaml", (source) => source.replace("heading: 42", "heading: Fixed"));
    await expect.poll(() => getPage("/about")).toMatch(/<h1[^>]*>Fixed</);
  });

  it("with invalid YAML does not stop the site either", async () => {
    await city.edit("home.yaml", (source) => source.replace(/^title: .*$/m, "title: *Important"));
    await expect
      .poll(readLog)
      .toContain('"event":"site.invalid_kept_last_good","file":"home.yaml"');
    expect((await fetch(city.server.url)).status).toBe(200);
  });

  it("that names a missing image does not go live", async () => {
    await city.edit("community.yaml", (source) =>
      source.replace("file: community-garden.svg", "file: nowhere.svg"),
    );
    await expect.poll(readLog).toContain("there is no nowhere.svg in art/");
    expect(await getPage("/community")).toContain("/art/community-garden.svg?v=");
  });

  it("that removes an image is reported with the file and line that name it", async () => {
    const findReports = () =>
      readLog().match(/"file":"radio\.yaml","line":\d+[^}]*there is no radio\.svg/g);
    const image = join(city.siteFolder, "art/radio.svg");
    await rename(image, `${image}.away`);
    await expect.poll(findReports).toHaveLength(1);
    await rename(`${image}.away`, image);
    await expect.poll(readLog).toContain('"event":"site.changed","file":"radio.yaml"');
  });

  it("to an image gives it a new URL on all pages, and the old URL shows the new image", async () => {
    const readImageUrl = async () =>
      /\/art\/map\.svg\?v=[\w-]+/.exec(await getPage("/contact"))?.[0] ?? "";
    const get = (path: string) => fetch(city.server.url + path);
    const urlBefore = await readImageUrl();
    expect((await get(urlBefore)).headers.get("cache-control")).toContain("immutable");
    await city.edit("art/map.svg", (source) => source.replace("<svg", "<!-- drawn again --><svg"));
    await expect.poll(readImageUrl).not.toBe(urlBefore);
    expect(await getPage(await readImageUrl())).toContain("drawn again");
    const oldUrlResponse = await get(urlBefore);
    expect(await oldUrlResponse.text()).toContain("drawn again");
    expect(oldUrlResponse.headers.get("cache-control")).toBe("no-cache");
  });

  it("that deletes a file leaves the last valid version in use", async () => {
    await rm(join(city.siteFolder, "terms.md"));
    await expect.poll(readLog).toContain('"event":"site.invalid_kept_last_good","file":"terms.md"');
    expect((await fetch(`${city.server.url}/terms`)).status).toBe(200);
  });
});

describe("a folder of stories", () => {
  const createStory = (title: string) => `---
title: ${title}
excerpt: Short.
category: Test
date: 2026-10-01
image: { file: hero.svg, alt: The harbor }
---
Words.`;
  const save = (file: string, content: string | Uint8Array) =>
    writeFile(join(city.siteFolder, "news", file), content);
  const readStatus = async (id: string) => (await fetch(`${city.server.url}/news/${id}`)).status;

  it("publishes a new story when its file is saved, and withdraws the story when the file is deleted", async () => {
    expect(await readStatus("brand-new")).toBe(404);
    await save("brand-new.md", createStory("Brand new"));
    await expect.poll(() => readStatus("brand-new")).toBe(200);
    await rm(join(city.siteFolder, "news/brand-new.md"));
    await expect.poll(() => readStatus("brand-new")).toBe(410);
  });

  it("refuses a file that is too large without reading it, and keeps the last valid version in use", async () => {
    await save("growing.md", createStory("Growing"));
    await expect.poll(() => readStatus("growing")).toBe(200);
    await save("growing.md", createStory("Growing") + "*word* ".repeat(800_000));
    await expect.poll(readLog).toMatch(/"file":"news\/growing\.md"[^}]*is 5,469 KB/);
    expect(await readStatus("growing")).toBe(200);
  });

  it("shows the photo next to a story, replaces it, and keeps the story without an image when the photo is removed", async () => {
    // The newest story, so that its photo is on every list of stories.
    const story = createStory("Photo")
      .replace("2026-10-01", "2026-11-15")
      .replace("hero.svg, alt: The harbor", "IMG_0042.JPG, alt: The pier, caption: At low tide.");
    const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: "#345" } });
    // The camera was turned, and the photo contains where it was taken.
    const cameraPhoto = photo
      .clone()
      .withMetadata({ orientation: 6 })
      .withExifMerge({
        IFD0: { ImageDescription: "Secret Street" },
        IFD3: { GPSLatitudeRef: "N" },
      });
    await save("IMG_0042.JPG", await cameraPhoto.jpeg().toBuffer());
    await save("photo.md", story);
    await expect.poll(() => readStatus("photo")).toBe(200);
    expect(await getPage("/news/photo")).toMatch(/<img [^>]*width="600" height="900"/);
    const findVariants = async () => [
      ...new Set(
        (await getPage("/news/photo")).match(/\/photos\/news\/IMG_0042\.JPG\/\d+\.\w+\?v=[\w-]+/g),
      ),
    ];
    const variants = await findVariants();
    // Two widths in three formats.
    expect(variants).toHaveLength(6);
    for (const path of [...variants, "/photos/news/IMG_0042.JPG"]) {
      const response = await fetch(city.server.url + path);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.includes("Secret Street")).toBe(false);
      const { width, height, exif, orientation } = await sharp(bytes).metadata();
      const [, expectedWidth = 600, extension = "jpg"] = /(\d+)\.(\w+)\?/.exec(path) ?? [];
      expect({ path, width, height, exif, orientation }).toEqual({
        path,
        width: Number(expectedWidth),
        height: Number(expectedWidth) * 1.5,
      });
      expect(response.headers.get("content-type")).toBe(
        `image/${extension === "jpg" ? "jpeg" : extension}`,
      );
      expect(response.headers.get("cache-control")).toBe(
        path.includes("?v=") ? "public, max-age=86400, immutable" : "no-cache",
      );
    }
    const showPhoto = () =>
      Promise.all(
        ["/news/photo", "/stories", "/", "/feeds/stories.atom"].map(async (path) =>
          (await getPage(path)).includes("IMG_0042.JPG"),
        ),
      );
    expect(await showPhoto()).toEqual([true, true, true, true]);

    await save("IMG_0042.JPG", await photo.jpeg().toBuffer());
    await expect.poll(findVariants).toContainEqual(expect.stringMatching(/\/900\.avif/));

    await rm(join(city.siteFolder, "news/IMG_0042.JPG"));
    await expect.poll(readLog).toContain("there is no IMG_0042.JPG in news/ or art/");
    await expect.poll(showPhoto).toEqual([false, false, false, false]);
    const page = await getPage("/news/photo");
    const [article = ""] = /<article[\s\S]*?<\/article>/.exec(page) ?? [];
    expect(article).toContain("Words.");
    expect(article).not.toMatch(/<source|<img|<figure|At low tide/);
    expect(page).not.toContain('"/art/"');
    expect((await fetch(`${city.server.url}/photos/news/IMG_0042.JPG/900.avif`)).status).toBe(404);
  });

  it("leaves out a story with a mistake, and the log names the mistake", async () => {
    await save("invalid.md", createStory("Invalid").replace("2026-10-01", "yesterday"));
    await save("My Story.md", createStory("Named wrongly"));
    await expect.poll(readLog).toMatch(/"file":"news\/invalid\.md","line":5,"field":"date"/);
    await expect.poll(readLog).toContain("rename the file to my-story.md");
    expect(await readStatus("invalid")).toBe(404);
    expect(await readStatus("trash-wheel")).toBe(200);
  });

  it("keeps every story while the city folder is missing, and continues when the folder is back", async () => {
    // A named pipe in place of a story must not block the other stories.
    execFileSync("mkfifo", [join(city.siteFolder, "news/pipe.md")]);
    const awayFolder = `${city.siteFolder}-away`;
    await rename(city.siteFolder, awayFolder);
    try {
      await expect.poll(readLog).toContain('"event":"site.folder_missing"');
      expect(await readStatus("trash-wheel")).toBe(200);
      await writeFile(join(awayFolder, "news/back-again.md"), createStory("Back again"));
    } finally {
      await rename(awayFolder, city.siteFolder);
    }
    await expect.poll(() => readStatus("back-again")).toBe(200);
    expect(await readStatus("trash-wheel")).toBe(200);
    expect(readLog()).not.toContain('"event":"site.removed","file":"news/trash-wheel.md"');
  });
});

describe("a link to one of our pages", () => {
  /** Reads the path of a page's share image from the head of the page. */
  const readSharePath = async (page: string) =>
    /property="og:image" content="https:\/\/[^/"]+(\/[^"]+)"/.exec(await getPage(page))?.[1] ?? "";

  const request = (path: string) => fetch(city.server.url + path, { redirect: "manual" });

  async function readImage(path: string) {
    const response = await request(path);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeLessThanOrEqual(200_000);
    const { format, width, height } = await sharp(bytes).metadata();
    expect({ format, width, height }).toEqual({ format: "png", width: 1200, height: 630 });
    return bytes;
  }

  it.each(["/news/marble-steps", "/blog/snowballs-explained", "/events/book-swap"])(
    "to %s comes with an image of 1200 × 630 pixels",
    async (page) => {
      const path = await readSharePath(page);
      expect(path).toContain(`/share${page}/`);
      await readImage(path);
    },
  );

  it("to a post comes with the same image when the browser has loaded the post", async () => {
    const path = await readSharePath("/blog/snowballs-explained");
    const publicKey = /publicKey: (\S+)/.exec(
      await readFile(join(city.siteFolder, "blog.yaml"), "utf8"),
    )?.[1];
    const details = await fetch(
      `${city.server.url}/functions/v1/get_details?slug=snowballs-explained`,
      { headers: { Authorization: `Bearer ${publicKey}` } },
    );
    expect(await details.json()).toMatchObject({ shareImage: { path, width: 1200, height: 630 } });
  });

  it.each(["/share/news/duckpins/x.png", "/share/news/lighthouse/x.png", "/share/news/no/x.png"])(
    "shows nothing of a draft or a story of the future: %s",
    async (path) => {
      expect((await request(path)).status).toBe(404);
    },
  );

  it("shows the photo of a story until the newsroom removes it", async () => {
    const oldPath = await readSharePath("/news/trash-wheel");
    const noise = { type: "gaussian" as const, mean: 60, sigma: 20 };
    const photo = await sharp({
      create: { width: 600, height: 400, channels: 3, background: "#000", noise },
    })
      .tint("#2f6f7e")
      .jpeg({ quality: 95 })
      .toBuffer();
    await writeFile(join(city.siteFolder, "news/harbor.jpg"), photo);
    await city.edit("news/trash-wheel.md", (source) =>
      source.replace(/file: trash-wheel\.svg/, "file: harbor.jpg"),
    );
    await expect.poll(() => readSharePath("/news/trash-wheel")).not.toBe(oldPath);
    const path = await readSharePath("/news/trash-wheel");
    const bytes = await readImage(path);
    const panel = await sharp(bytes)
      .extract({ left: 700, top: 50, width: 400, height: 500 })
      .resize(1, 1)
      .raw()
      .toBuffer();
    const [red = 0, , blue = 0] = panel;
    expect(blue).toBeGreaterThan(red + 10);
    const old = await request(oldPath);
    expect(old.headers.get("Location")).toBe(path);
    await rm(join(city.siteFolder, "news/harbor.jpg"));
    // Without its photo the story has another image, to which the old path leads.
    await expect.poll(async () => (await request(path)).status).toBe(302);
    await expect.poll(() => readSharePath("/news/trash-wheel")).not.toBe(path);
    expect(bytes.equals(await readImage(await readSharePath("/news/trash-wheel")))).toBe(false);
  });

  it("still has an image after an operator has deleted the cache", async () => {
    const path = await readSharePath("/news/marble-steps");
    await readImage(path);
    const folder = join(city.dataDir, "cache/share");
    expect(await readdir(folder)).not.toEqual([]);
    await rm(folder, { recursive: true });
    await readImage(path);
  });
});

describe("a new city without stories, events, posts or sources", () => {
  it("starts, has no empty boxes on its home page, and has only working pages", async () => {
    const [sites, data] = [await temporaryFolder(), await createDataFolder()];
    const newCityFolder = join(sites.path, "testville");
    makeNewCity(newCityFolder);
    const server = await startServer({ DATA_DIR: data.path, SITES_DIR: sites.path });
    try {
      const get = (path: string) => fetch(server.url + path);
      const homePage = await (await get("/")).text();
      expect(homePage).not.toMatch(/carousel|news-grid|Featured|Did You Know/);
      const paths = new Set(
        [...homePage.matchAll(/href="(\/[\w./-]*)"/g)].map(([, path = ""]) => path),
      );
      expect(paths.size).toBeGreaterThan(25);
      for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
      await mkdir(join(newCityFolder, "news"));
      await cp("sites/baltimore/news/duckpins.md", join(newCityFolder, "news/duckpins.md"));
      const findCards = async () =>
        (await (await get("/")).text()).match(/<article class="card news-card/g);
      await expect.poll(findCards).toHaveLength(1);
    } finally {
      await server.stop();
      await data.remove();
      await sites.remove();
    }
  });
});
