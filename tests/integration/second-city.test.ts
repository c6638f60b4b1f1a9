import { glob, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { buildIfNeeded } from "../../server/process/build.ts";
import { createRss, startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";
import { expectLightPage, expectReadablePage } from "../support/page-rules.ts";
import { parseMail } from "../support/received-mail.ts";
import {
  runNewsroom,
  type SecondCity,
  secondCity,
  secondCityHeadlines,
  startSecondCity,
} from "../support/second-city.ts";
import { temporaryFolder } from "../support/server.ts";

let city: SecondCity;
beforeAll(async () => {
  city = await startSecondCity();
});
afterAll(() => city?.close());

// The preview of the newsletter is written to the current folder.
const newsroom = (...args: string[]) => runInServer(city.dataDir, args, { cwd: city.dataDir });
const read = async (path: string) => (await fetch(city.server.url + path)).text();

/** Neighborhoods of the first city whose names also mean something else. */
const ordinary = ["Downtown", "Canton", "Hampden", "Waverly", "Highlandtown"];

/** Names, places, numbers and coordinates of the first city. */
async function listTraces(): Promise<RegExp> {
  const names: { name: string }[] = parse(
    await readFile("sites/baltimore/neighborhoods.yaml", "utf8"),
  );
  const { places }: { places: string[] } = parse(
    await readFile("sites/baltimore/sections.yaml", "utf8"),
  );
  const words = [
    ...names.map(({ name }) => name).filter((name) => !ordinary.includes(name)),
    ...places,
    ...["Fort McHenry", "Lexington Market", "Domino Sugar", "Trash Wheel", "Edgar Allan Poe"],
    ...["rowhouse", "duckpin", "arabber", "Norfolk", "Wilmington", "harborline.example"],
    ...["410-555", "39.29", "-76.6", "America/New_York", "US-MD"],
  ];
  const escaped = words.map((word) => word.replaceAll(/[.$]/g, "\\$&"));
  return new RegExp(`(?<![\\w])(?:${escaped.join("|")})(?![a-z])`, "i");
}

/** Reads the front page and everything that its pages, feeds and calendars lead to. */
async function readEverything(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const queue = ["/", "/sitemap.xml", "/robots.txt", "/feeds.opml", "/nowhere", "/events.ics"];
  queue.push("/meetings.ics", "/events.json", "/search?q=city", "/offline", "/status");
  const queued = new Set(queue);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const response = await fetch(city.server.url + path);
    if (path !== "/nowhere") expect([path, response.status]).toEqual([path, 200]);
    if (!/text|xml|json|calendar|svg/.test(response.headers.get("content-type") ?? "")) {
      await response.body?.cancel();
      continue;
    }
    const text = await response.text();
    found.set(path, text);
    const links = text.matchAll(
      /(?:(?:href|src|action|xmlUrl)="|<loc>)(?:https:\/\/denver\.example\.com)?(\/[^"<#&]*)/g,
    );
    for (const [, link = ""] of links) {
      if (queued.has(link) || /^\/(?:\/|assets\/)|[?]/.test(link)) continue;
      queued.add(link);
      queue.push(link);
    }
  }
  return found;
}

describe("a city from one command", () => {
  it("shows its own headlines, events and stories", async () => {
    for (const text of [...secondCityHeadlines, "Concert in the Park", "shovels its own sidewalk"])
      await expect.poll(() => read("/")).toContain(text);
    expect(await read("/weather")).toContain("Denver");
  });

  it("has a newsletter and a brief of its own", async () => {
    const { output } = await newsroom("newsletter", "preview");
    for (const text of ["The week in Denver", secondCityHeadlines[0], "Concert in the Park"])
      expect(output).toContain(text);
    expect(await newsroom("brief", "make", "--again")).toMatchObject({ code: 0 });
    await expect.poll(() => read("/brief")).toContain(secondCityHeadlines[0]);
  });

  it("says nothing about the first city, in any page, feed, calendar, drawing, email or script", async () => {
    const traces = await listTraces();
    expect("Baltimore's Inner Harbor").toMatch(traces);
    const texts = await readEverything();
    expect(texts.size).toBeGreaterThan(40);
    await fetch(`${city.server.url}/newsletter`, {
      method: "POST",
      headers: { Origin: city.server.url },
      body: new URLSearchParams({ email: "ann@example.com" }),
    });
    const mailFolder = join(city.dataDir, "outbox");
    await expect.poll(async () => (await readdir(mailFolder)).length).toBeGreaterThan(0);
    for (const name of await readdir(mailFolder)) {
      const { headers, text, html } = parseMail(await readFile(join(mailFolder, name), "utf8"));
      expect(text).toContain("the week in Denver");
      texts.set(`mail/${name}`, [...headers.values(), text, html].join("\n"));
    }
    texts.set("issue", (await newsroom("newsletter", "preview")).output);
    const { clientFolder } = await buildIfNeeded(() => {});
    for await (const script of glob(`${clientFolder}/**/*.js`))
      texts.set(script, await readFile(script, "utf8"));
    const hits = [...texts].flatMap(([path, text]) => {
      const [hit] = traces.exec(text) ?? [];
      return hit === undefined ? [] : [`${path}: ${hit}`];
    });
    expect(hits).toEqual([]);
  });

  it("has its own colors and fonts everywhere, and loads no others", async () => {
    const home = await read("/");
    expect(home).toContain('content="#faf8f4" media="(prefers-color-scheme: light)"');
    expect([...home.matchAll(/href="([^"]+\.woff2)"/g)].map(([, path]) => path)).toEqual([
      expect.stringContaining("/bitter-"),
      expect.stringContaining("/work-sans-"),
    ]);
    const [stylesheet = ""] = /\/assets\/app-[\w-]{8}\.css/.exec(home) ?? [];
    const css = await read(stylesheet);
    expect(css).toMatch(/--color-navy:light-dark\(#123a33,#17453c\)/);
    // A page from a cache gets the current stylesheet, which is not stored under an old name.
    const earlier = await fetch(`${city.server.url}/assets/app-00000000.css`);
    expect(earlier.headers.get("cache-control")).toBe("no-store");
    await newsroom("newsletter", "preview");
    const issue = (await readdir(city.dataDir)).find((name) => /^newsletter-.*\.html$/.test(name));
    const places = {
      stylesheet: css,
      light: await read("/?edition=light"),
      manifest: await read("/manifest.webmanifest"),
      script: home,
      widget: await read("/embed/events"),
      worker: await read("/sw.js"),
      email: await readFile(join(city.dataDir, issue ?? ""), "utf8"),
      mark: await read("/art/mark.svg"),
    };
    const first = ["#fbf8f1", "#12263f", "#e9b13c", "#17487a", "#15212f", "newsreader"];
    for (const [place, text] of Object.entries(places))
      expect([place, first.filter((each) => text.includes(each))]).toEqual([place, []]);
    expect(places.light).toContain("#faf8f4");
    expect(places.worker).toContain("/work-sans-");
    // What an editor changes is on the next page.
    const path = join(city.siteFolder, "brand.yaml");
    const source = await readFile(path, "utf8");
    await writeFile(path, source.replace("#1d5c50", "#1d4c5c"));
    await expect.poll(() => read("/")).not.toContain(stylesheet);
    await writeFile(path, source);
    await expect.poll(() => read("/")).toContain(stylesheet);
  });

  it("has pages that are readable without scripts, and complete in the low-data edition", async () => {
    const sitemaps = (await read("/sitemap.xml")).matchAll(/<loc>([^<]+)/g);
    const paths = new Set(["/no-such-page", "/offline", "/status", "/search"]);
    for (const [, sitemap = ""] of sitemaps)
      for (const [, url = ""] of (await read(new URL(sitemap).pathname)).matchAll(/<loc>([^<]+)/g))
        paths.add(new URL(url).pathname);
    expect(paths.size).toBeGreaterThan(20);
    for (const path of paths) {
      expectReadablePage(await read(path), path);
      const light = await fetch(city.server.url + path, { headers: { "Save-Data": "on" } });
      expectLightPage(await light.text(), light.headers, path);
    }
  });

  it("has no page, link or job for the parts that it does without", async () => {
    for (const path of ["/radio", "/books", "/blog", "/sports", "/api/now-playing"])
      expect([path, (await fetch(city.server.url + path)).status]).toEqual([path, 404]);
    const home = await read("/");
    expect(home).not.toMatch(/href="\/(?:radio|books|blog|sports)/);
    expect(await read("/sitemap.xml")).not.toMatch(/radio|books|blog/);
  });

  it("lists what people must still write, with file and line", async () => {
    const { code, output } = await newsroom("doctor", "--launch");
    expect(code).toBe(1);
    expect(output).toMatch(/✗ site\.yaml:\d+ {2}Write a tagline of your own\./);
    expect(output).toMatch(/– site\.yaml:\d+ {2}turns off radio, books, blog\./);
    expect(output).toMatch(/✗ contact\.yaml:\d+ {2}hello@denver\.example\.com is a sample\./);
    expect(output).toContain("✗ SMTP_URL");
  });
});

describe("city new", () => {
  const run = (...args: string[]) =>
    runNewsroom(
      { SITES_DIR: city.sitesDir, DATA_DIR: join(city.sitesDir, "../unused"), OFFLINE: "1" },
      ...args,
    );

  it("refuses an existing folder, a bad name and an unreachable feed, and writes nothing", async () => {
    const before = await readdir(city.sitesDir);
    const network = await readFile(join(city.sitesDir, "network.yaml"), "utf8");
    const existing = await run(...secondCity);
    expect(existing).toEqual({
      code: 1,
      output: `✗ ${city.siteFolder} already exists. Choose another name, or delete the folder first.\n`,
    });
    const other = secondCity.map((word) => (word === "denver" ? "boulder" : word));
    const unreachable = await run(...other, "--feeds", "https://news.example.com/feed");
    expect(unreachable.code).toBe(1);
    expect(unreachable.output).toMatch(
      /^✗ No city was created, because of the feed https:\/\/news\.example\.com\/feed: it .+\.\n$/,
    );
    const sameDomain = await run(...other);
    expect(sameDomain).toEqual({
      code: 1,
      output: "✗ https://denver.example.com is the site of denver: choose another domain.\n",
    });
    expect(await readdir(city.sitesDir)).toEqual(before);
    expect(await readFile(join(city.sitesDir, "network.yaml"), "utf8")).toBe(network);
    const modeOf = async (path: string) => (await stat(path)).mode;
    expect(await modeOf(city.siteFolder)).toBe(await modeOf(city.sitesDir));
  });

  it("gives each of two feeds on one host its own name", async () => {
    const paper = await startFeedServer((request, response) =>
      response.end(createRss(`paper.example.com${request.url}`, [{ title: "Council votes" }])),
    );
    const feeds = ["/city", "/sports"].map((path) => paper.url(path));
    const folder = await temporaryFolder();
    const created = await runNewsroom(
      { SITES_DIR: folder.path, FETCH_ALLOW: paper.host, OFFLINE: "1" },
      ...[...secondCity, "--feeds", feeds.join(",")],
    );
    const sections = await readFile(join(folder.path, "denver/sections.yaml"), "utf8");
    await paper.close();
    await folder.remove();
    expect(created.code).toBe(0);
    expect(sections).toContain('name: "127.0.0.1"');
    expect(sections).toContain('name: "127.0.0.1 2"');
  });

  it("draws images only for the city that is typed, and not for the default one by mistake", async () => {
    const mark = join(city.siteFolder, "art/mark.svg");
    const before = await readFile(mark);
    const { code, output } = await run("city", "draw", "annapolis", "mark.svg");
    expect(code).toBe(2);
    expect(output).toContain('"annapolis" is not the city of this command, which is denver.');
    expect(await readFile(mark)).toEqual(before);
  });

  it("draws its own images again, and those of somebody else only with --replace", async () => {
    const hero = join(city.siteFolder, "art/hero.svg");
    const before = await readFile(hero, "utf8");
    const draw = (...options: string[]) =>
      run("city", "draw", "denver", "touch-icon.png", "hero.svg", ...options);
    expect(await draw()).toMatchObject({ code: 0 });
    await writeFile(hero, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>');
    expect(await draw()).toEqual({
      code: 1,
      output:
        "✗ Nothing was drawn: art/hero.svg was not drawn by this command. To replace it, add --replace.\n",
    });
    expect(await draw("--replace")).toMatchObject({ code: 0 });
    expect(await readFile(hero, "utf8")).toBe(before);
  });
});

/** Mistakes in a new city's files: what is replaced, and the sentence that `validate` prints. */
const mistakes: [file: string, from: string | RegExp, to: string, sentence: RegExp][] = [
  ["site.yaml", "America/Denver", "Denver", /Line \d+: timeZone must be a time zone such as/],
  ["site.yaml", "latitude: 39.7392", "latitude: 397.392", /Line \d+: geo\.latitude .*90/],
  ["site.yaml", /origin: .*/, "origin: denver.example.com/", /Line \d+: origin must be a full URL/],
  ["site.yaml", "mark: mark.svg", "mark: logo.svg", /Line \d+: there is no logo\.svg in art\//],
  [
    "site.yaml",
    "without: [radio, books, blog]",
    "without: [radios]",
    /Line \d+: entry 1 of without .*`radio`/,
  ],
  ["site.yaml", "founded:", "fonded:", /Line \d+: .*fonded.*founded/],
  ["site.yaml", "cities: []", "cities: [atlantis]", /Line \d+: network\.cities names atlantis/],
  ["contact.yaml", "email: hello@", "email: hello at ", /Line \d+: email must be an email address/],
  ["navigation.yaml", "to: /stories", "to: /storys", /Line \d+: .*\/storys.*\/stories/],
  ["navigation.yaml", "to: /faq", "to: faq", /Line \d+: .*must be a page of this site/],
  ["sections.yaml", "  archives:", "  archive:", /Line \d+: .*archive/],
  ["sections.yaml", "url: http", "url: htp", /Line \d+: .*must be a full URL/],
  ["home.yaml", "file: hero.svg", "file: hero.jpeg", /Line \d+: .*hero/],
  [
    "brand.yaml",
    /^ {2}inkSoft: .*/m,
    '  inkSoft: { light: "#9aa4b0", dark: "#b4bfca" }',
    /Line \d+: colors\.inkSoft\.light has a contrast of 2\.\d:1 with sunken .* such as "#\w{6}"/,
  ],
  [
    "brand.yaml",
    /^ {2}inkSoft: .*/m,
    '  inkSoft: { light: "#4a5664", dark: #b4bfca }',
    /Line \d+: .* # without quotes hides its end\./,
  ],
  ["brand.yaml", "fonts: bitter", "fonts: biter", /Line \d+: fonts .*bitter/],
  ["newsletter.yaml", "events: 8", "events: 80", /Line \d+: issue\.counts\.events must be at most/],
  ["faq.yaml", "id: is-it-free", "id: what-is-this-site", /Line \d+: .*is used twice/],
  ["faq.yaml", "(/about)", "(/abuot)", /Line \d+: .*\/abuot.*\/about/],
  ["events.yaml", "heading: What's", "heading: 'What's", /Line \d+: .*quotes/],
  ["faq.yaml", "(/about)", "({{origin}})", /Line \d+: fill in \{\{origin\}\}/],
  ["brief.yaml", "facts: []", "facts: none", /Line \d+: facts/],
  ["privacy.md", "updated: 20", "updated: Nov 20", /Line \d+: updated must be/],
  [
    "news/first-story.md",
    "date: 2026-11-01",
    "date: 11/1/2026",
    /Line \d+: date must be a day such as/,
  ],
];

it("every mistake in a new city's files is found with its line and its correction", async () => {
  // Each file can have one mistake at a time. The files are checked once for all of them.
  const rounds: (typeof mistakes)[] = [];
  for (const mistake of mistakes) {
    const free = rounds.find((round) => round.every(([file]) => file !== mistake[0]));
    if (free) free.push(mistake);
    else rounds.push([mistake]);
  }
  for (const round of rounds) {
    const good = new Map<string, string>();
    for (const [file, from, to] of round) {
      const source = await readFile(join(city.siteFolder, file), "utf8");
      expect(source.replace(from, to), `${file}: ${from}`).not.toBe(source);
      good.set(file, source);
      await writeFile(join(city.siteFolder, file), source.replace(from, to));
    }
    const { code, output } = await newsroom("validate", "--problems");
    for (const [file, source] of good) await writeFile(join(city.siteFolder, file), source);
    expect(code).toBe(1);
    for (const [file, , , sentence] of round) {
      const ofFile = output.split(/^(?=[✗✓] )/m).find((part) => part.startsWith(`✗ ${file}`));
      expect(ofFile, `${file}\n${output}`).toMatch(sentence);
    }
  }
});
