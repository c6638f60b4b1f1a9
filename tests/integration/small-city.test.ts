import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../support/data-folder.ts";
import { makeSmallCity } from "../support/new-city.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";

let server: RunningServer;
let sites: Awaited<ReturnType<typeof temporaryFolder>>;
let data: Awaited<ReturnType<typeof createDataFolder>>;
let siteFolder: string;
beforeAll(async () => {
  [sites, data] = [await temporaryFolder(), await createDataFolder()];
  siteFolder = join(sites.path, "smallville");
  makeSmallCity(siteFolder);
  server = await startServer({ DATA_DIR: data.path, SITES_DIR: sites.path });
});
afterAll(async () => {
  await server?.stop();
  await data?.remove();
  await sites?.remove();
});

const get = (path: string) => fetch(server.url + path, { redirect: "manual" });
const newsroom = (...words: string[]) => runInServer(data.path, words);

const origin = "https://baltimore.harborline.example";

/**
 * Follows every link from the front page, without filters and images, and returns what each page
 * and file contains. Every link has to work.
 */
async function walk(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  /** The page or file with the link, for the message. */
  const referrers = new Map<string, string>();
  const queue = ["/", "/?edition=light", "/search", "/no-such-page", "/status", "/sw.js"];
  queue.push("/sitemap.xml", "/manifest.webmanifest", "/newsletter", "/saved", "/brief/archive");
  for (const path of queue) {
    const response = await get(path);
    const text = await response.text();
    if (path !== "/no-such-page")
      expect([path, referrers.get(path), response.status]).toEqual([
        path,
        referrers.get(path),
        200,
      ]);
    texts.set(path, text);
    const links = [
      ...text.matchAll(/ (?:href|action)="(\/[^"#?]*)/g),
      ...text.matchAll(new RegExp(`(?:<loc>|[uU]rl=")${origin}([^"<?]*)`, "g")),
    ];
    for (const [, target = ""] of links)
      if (!/^\/(?:assets|art|icons|photos)\//.test(target) && !queue.includes(target)) {
        queue.push(target);
        referrers.set(target, path);
      }
  }
  return texts;
}

/** Finds links, and paths in data, to the pages and files with these names. */
function findTraces(texts: Map<string, string>, names: string[]): string[] {
  const trace = new RegExp(`["'>(](?:${origin})?/(?:${names.join("|")})(?:["'/?#.<)].{0,20}|$)`);
  return [...texts].flatMap(([path, text]) => {
    const found = trace.exec(text);
    return found ? [`${path} has ${found[0]}`] : [];
  });
}

const expectMissing = async (paths: string[]) => {
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 404]);
};

const absentSections =
  "national world politics business technology automotive realestate health culture lifestyle opinion".split(
    " ",
  );

describe("a city without radio, books and blog, and with 3 sections", () => {
  it("has valid files", async () => {
    const { code, output } = await newsroom("validate", "--problems");
    expect(code, output).toBe(0);
  });

  it("has no link to them, and every link works", async () => {
    const texts = await walk();
    expect(findTraces(texts, ["radio", "books", "blog", "functions", ...absentSections])).toEqual(
      [],
    );
    expect(texts.size).toBeGreaterThan(40);
    expect(texts.get("/search")).toContain("We search all our own pages");
  });

  it("has no page, data, feed, stream or function of them", () =>
    expectMissing([
      "/radio",
      "/radio.data",
      "/radio.json",
      "/api/stream?port=8000",
      "/api/now-playing",
      "/books",
      "/books.data",
      "/blog",
      "/blog.data",
      "/blog/a-post",
      "/blog/feed.xml",
      "/functions/v1/get_metainfo",
      "/functions/v1/get_details?slug=a-post",
      "/national",
      "/national.data",
      "/feeds/national.xml",
      "/embed/feeds/national",
    ]));

  it("shows the page not found in place of them", async () => {
    for (const path of ["/radio", "/blog", "/national"])
      expect(await (await get(path)).text()).toContain("Page not found");
  });

  it("has no command and no result of search for them", async () => {
    expect(await newsroom("blog", "list")).toEqual({
      code: 1,
      output: "✗ This city has no blog: `without` in site.yaml lists it.",
    });
    expect((await newsroom("help")).output).not.toContain("  blog ");
    const suggestions = await (await get("/search/suggest?q=radio")).text();
    expect(suggestions).not.toContain("/radio");
  });

  it("reports a link to one of them, with its line", async () => {
    const home = join(siteFolder, "home.yaml");
    const before = readFileSync(home, "utf8");
    const link = `{ label: Listen, url: "${origin}/radio" }`;
    writeFileSync(
      home,
      `${before}fact:\n  text: A fact.\n  image: { file: mark.svg }\n  link: ${link}\n`,
    );
    const { output } = await newsroom("validate", "--problems");
    writeFileSync(home, before);
    const line = before.split("\n").length + 3;
    expect(output).toContain(
      `Line ${line}: the link /radio leads nowhere: \`without\` in site.yaml lists radio`,
    );
  });
});

describe("a city that switches off its events", () => {
  it("has nothing of them a moment later, and has them again when it switches them on", async () => {
    expect((await get("/events")).status).toBe(200);
    const siteFile = join(siteFolder, "site.yaml");
    const settings = readFileSync(siteFile, "utf8");
    writeFileSync(siteFile, settings.replace("blog]", "blog, events]"));
    await expect.poll(async () => (await get("/events")).status).toBe(404);
    const texts = await walk();
    expect(findTraces(texts, ["events"])).toEqual([]);
    await expectMissing([
      "/events.data",
      "/events/submit",
      "/events/an-event",
      "/events.ics",
      "/events.json",
      "/embed/events",
      "/feeds/events.xml",
    ]);
    expect(await newsroom("events", "list")).toMatchObject({ code: 1 });
    writeFileSync(siteFile, settings);
    await expect.poll(async () => (await get("/events")).status).toBe(200);
  });
});
