import { appendFile, cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder } from "../support/data-folder.ts";
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
/** The promise is two seconds; polling finds the change as soon as it is live. */
const soon = { timeout: 15_000, interval: 50 };
const edit = async (file: string, change: (source: string) => string) => {
  const path = join(city, file);
  await writeFile(path, change(await readFile(path, "utf8")));
};

describe("an editor's change", () => {
  it("is live soon, without a restart", async () => {
    await edit("about.yaml", (source) => source.replace("About Harborline Baltimore", "About Testville"));
    await expect.poll(aboutPage, soon).toContain("About Testville");
  });

  it("with a link to the site's own origin keeps readers in their tab", async () => {
    const own = "[Terms](https://baltimore.harborline.example/terms#top) and [maps](https://maps.example/)";
    await appendFile(join(city, "privacy.md"), `\n${own}\n`);
    const page = async () => (await fetch(`${server.url}/privacy`)).text();
    await expect.poll(page, soon).toContain('<a href="/terms#top">Terms</a>');
    expect(await page()).toContain('<a href="https://maps.example/" target="_blank" rel="noopener">maps');
  });

  it("is seen too when the editor saves by renaming a new file into place", async () => {
    const source = await readFile(join(city, "about.yaml"), "utf8");
    await writeFile(join(city, "about.yaml.tmp"), source.replace("About Testville", "About Renamed"));
    await rename(join(city, "about.yaml.tmp"), join(city, "about.yaml"));
    await expect.poll(aboutPage, soon).toContain("About Renamed");
  });

  it("to the name of the site is in the header, as text until outlines of the new name are drawn", async () => {
    const brandLink = async () => /<header[\s\S]*?<\/a>/.exec(await aboutPage())?.[0] ?? "";
    expect(await brandLink()).toMatch(/<svg [^>]*aria-hidden="true"/);
    await edit("site.yaml", (source) => source.replace("shortName: Harborline", "shortName: Tidewater & Co"));
    await expect.poll(brandLink, soon).toContain("Tidewater &amp; Co");
    expect(await brandLink()).not.toContain("<svg");
    await edit("art/wordmark.svg", (source) => source.replace("Harborline", "Tidewater &#38; Co"));
    await expect.poll(brandLink, soon).toContain("<svg");
    expect(await brandLink()).toContain("Tidewater &amp; Co");
    await rm(join(city, "art/wordmark.svg"));
    await expect.poll(brandLink, soon).not.toContain("<svg");
  });

  it("that is invalid keeps the last good version, and the log says file, line, field and fault", async () => {
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

  it("that no parser could foresee does not stop the site either", async () => {
    await edit("home.yaml", (source) => source.replace(/^title: .*$/m, "title: *Important"));
    await expect.poll(() => server.output(), soon).toContain('"file":"home.yaml"');
    expect((await fetch(server.url)).status).toBe(200);
  });

  it("of another file goes live while one is broken", async () => {
    await edit("donation.yaml", (source) =>
      source.replace("https://donate.harborline.example/baltimore", "https://give.example/x"),
    );
    await expect.poll(aboutPage, soon).toContain("https://give.example/x");
  });

  it("that mends the mistake is taken", async () => {
    await edit("about.yaml", (source) => source.replace("heading: 42", "heading: About Mended"));
    await expect.poll(aboutPage, soon).toContain("About Mended");
  });

  it("that names a picture which is not there is not taken", async () => {
    await edit("about.yaml", (source) => source.replace("file: about.svg", "file: nowhere.svg"));
    await expect.poll(() => server.output(), soon).toContain("there is no such picture in art/");
    expect(await aboutPage()).toContain("/art/about.svg");
  });

  it("that deletes a file keeps the last good version", async () => {
    await rm(join(city, "terms.md"));
    await expect.poll(() => server.output(), soon).toContain('"file":"terms.md"');
    expect((await fetch(`${server.url}/terms`)).status).toBe(200);
  });
});

describe("a city that is wrong from the start", () => {
  it("is not served, and the terminal says what to correct", async () => {
    const broken = join(folder.path, "broken/testville");
    await cp("sites/baltimore", broken, { recursive: true });
    await appendFile(join(broken, "contact.yaml"), "fax: none\n");
    const env = { DATA_DIR: join(folder.path, "var2"), SITES_DIR: join(folder.path, "broken") };
    await expect(startServer(env)).rejects.toThrow(
      /contact\.yaml:\d+ {2}fax: is not a setting this file knows/,
    );
  });
});

describe("a folder of stories", () => {
  const story = (title: string) => `---
title: ${title}
excerpt: Short.
category: Test
date: 2026-11-15
image: { file: hero.svg, width: 1600, height: 640 }
---
Words.`;
  const status = async (id: string) => (await fetch(`${server.url}/news/${id}`)).status;

  it("has a new story as soon as its file is saved, and loses it with the file", async () => {
    expect(await status("brand-new")).toBe(404);
    await writeFile(join(city, "news/brand-new.md"), story("Brand new"));
    await expect.poll(() => status("brand-new"), soon).toBe(200);
    await rm(join(city, "news/brand-new.md"));
    await expect.poll(() => status("brand-new"), soon).toBe(404);
  });

  it("leaves out a story with a fault, and says what it is", async () => {
    await writeFile(join(city, "news/faulty.md"), story("Faulty").replace("2026-11-15", "yesterday"));
    await writeFile(join(city, "news/My Story.md"), story("Named wrongly"));
    await expect
      .poll(() => server.output(), soon)
      .toMatch(/"file":"news\/faulty\.md","line":5,"field":"date"/);
    expect(server.output()).toContain("must be small letters, digits and hyphens");
    expect(await status("faulty")).toBe(404);
    expect(await status("trash-wheel")).toBe(200);
  });
});
