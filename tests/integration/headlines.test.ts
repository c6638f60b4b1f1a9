import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nextMidnight } from "../../app/lib/dates.ts";
import { startCity, type TestCity } from "../support/city.ts";
import {
  createRss,
  type FeedEntry,
  type FeedServer,
  startFeedServer,
} from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";

let paperServer: FeedServer;
let city: TestCity;
/**
 * The feed items by path. The record is empty at first, because the server checks for due sources
 * every minute, and the first tests need a feed without headlines.
 */
const feedItems: Record<string, FeedEntry[]> = {};

beforeAll(async () => {
  paperServer = await startFeedServer((request, response) => {
    const items = feedItems[request.url ?? ""];
    if (items) response.end(createRss("paper.example", items));
    else response.writeHead(404).end();
  });
  city = await startCity(
    {
      "sections.yaml": (source) =>
        source
          .replaceAll(/https:\/\/baltimorefishbowl\.com\S*/g, paperServer.url("/local"))
          .replaceAll(/https:\/\/feeds\.bbci\.co\.uk\/news\/world\S*/g, paperServer.url("/world")),
      // House ads with the next event would make every page expire at midnight.
      "ads.yaml": (source) => source.replaceAll("    content: next-event\n", ""),
    },
    { FETCH_ALLOW: paperServer.host },
  );
});
afterAll(async () => {
  await city.close();
  await paperServer.close();
});

const fetchPage = async (path: string) => (await fetch(city.server.url + path)).text();

const newsroom = (...args: string[]) => runInServer(city.dataDir, args);

/** Requests a page, and returns whether it came from the cache. */
async function isCached(path: string): Promise<boolean> {
  const response = await fetch(city.server.url + path);
  await response.arrayBuffer();
  const id = response.headers.get("x-request-id");
  const findLogLine = () =>
    city.server
      .output()
      .split("\n")
      .find((line) => line.includes(`"id":"${id}"`) && line.includes('"request"'));
  await expect.poll(findLogLine).toBeDefined();
  return findLogLine()?.includes('"cache":"hit"') ?? false;
}

describe("headlines", () => {
  it("are replaced by good-to-know items until a source has sent some, and these items change at midnight in the city", async () => {
    const response = await fetch(`${city.server.url}/local`);
    const expires = new Date(response.headers.get("expires") ?? "");
    expect(expires.getTime()).toBeLessThanOrEqual(
      nextMidnight(new Date(), "America/New_York").getTime(),
    );
    const countOwnItems = (html: string) =>
      html.match(/<span class="font-semibold">Harborline</g)?.length;
    const local = await response.text();
    expect(local).toContain("No live headlines have arrived yet.");
    expect(countOwnItems(local)).toBe(5);
    expect(countOwnItems(await fetchPage("/local?all=local"))).toBeGreaterThanOrEqual(8);
  });

  it("are the only content of feeds and widgets: good-to-know items do not appear in them or in search", async () => {
    const goodToKnow = await readFile("sites/baltimore/good-to-know.yaml", "utf8");
    const [, title = ""] = /\nlocal:\n {2}- title: ([^\n"]+)\n/.exec(goodToKnow) ?? [];
    expect(await fetchPage("/local?all=local")).toContain(title);
    for (const format of ["xml", "atom", "json"])
      expect(await fetchPage(`/feeds/local.${format}`), format).not.toContain(title);
    expect(await fetchPage("/embed/feeds/local")).toContain("No headlines have arrived yet.");
    expect(await fetchPage(`/search?${new URLSearchParams({ q: `"${title}"` })}`)).not.toContain(
      `>${title}<`,
    );
  });

  it("appear on their pages right after a refresh, and other pages stay cached", async () => {
    feedItems["/local"] = [{ title: "Harbor ferry starts again" }];
    const { code, output } = await newsroom("feeds", "refresh", "baltimore-fishbowl");
    expect(output).toContain("✓ baltimore-fishbowl: 1 new, 0 changed");
    expect(code).toBe(0);
    for (const path of ["/local", "/news", "/feeds/local.json", "/embed/feeds/local", "/archives"])
      expect(await fetchPage(path), path).toContain("Harbor ferry starts again");
    expect(await fetchPage("/local")).not.toContain("No live headlines");
    expect((await fetchPage("/local")).replaceAll(/<!-- -->/g, "")).toMatch(
      /From \d+ newsrooms<\/summary>/,
    );
    expect(await fetchPage("/world")).toContain("No live headlines");
    // No headline is a week old, but the archive lists all of them.
    expect(await fetchPage("/archives")).toContain(
      "Headlines move here after a week, and none is that old yet.",
    );
    expect(await fetchPage("/archives")).toContain(
      "From all months, sections and sources, newest first.",
    );

    feedItems["/local"]?.unshift({ title: "Second ferry joins the first" });
    for (const path of ["/local", "/news", "/world"]) await fetchPage(path);
    await newsroom("feeds", "refresh", "baltimore-fishbowl");
    expect(await isCached("/world")).toBe(true);
    expect(await fetchPage("/local")).toContain("Second ferry joins the first");
    expect(await fetchPage("/news")).toContain("Second ferry joins the first");
  });

  it("are archived by month, and an invalid month, page or name does not break the archive", async () => {
    const month = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/New_York" })
      .format()
      .slice(0, 7);
    expect(await fetchPage(`/archives?month=${month}&section=local`)).toContain(
      "Second ferry joins the first",
    );
    // Without JavaScript, "See All" is a form that keeps the filter of the archive.
    expect(await fetchPage("/archives?section=local")).toMatch(
      /<input type="hidden" name="section" value="local"/,
    );
    expect(await fetchPage("/archives?section=world")).not.toContain(
      "Second ferry joins the first",
    );
    expect(await fetchPage("/archives?section=world")).toContain(
      "The archive has no headlines from World News.",
    );
    expect(await fetchPage("/archives?section=local&page=2")).toContain(
      "There are no more headlines from Local News.",
    );
    for (const query of [
      "month=0000-01",
      "month=9999-12",
      "page=99999",
      "section=constructor&source=y",
    ])
      expect((await fetch(`${city.server.url}/archives?${query}`)).status, query).toBe(200);
  });

  it("stay when their source is gone, and the status page says what is wrong", async () => {
    delete feedItems["/local"];
    expect((await newsroom("feeds", "refresh", "baltimore-fishbowl")).code).toBe(1);
    expect(await fetchPage("/local")).toContain("Second ferry joins the first");
    expect(await fetchPage("/status")).toContain("Its feed or calendar no longer exists.");
    expect(await fetchPage("/status")).not.toContain("404");
    const status = await fetchPage("/status.json");
    expect(JSON.parse(status).sources).toContainEqual(
      expect.objectContaining({
        id: "baltimore-fishbowl",
        state: "failing",
        causeKey: "gone",
        items: 2,
      }),
    );
    expect(status).not.toContain(paperServer.host);
  });

  it("can be explained, listed and checked with the newsroom command", async () => {
    const explanation = await newsroom("feeds", "explain", "baltimore-fishbowl");
    expect(explanation.output).toContain("state: failing: it no longer exists");
    expect(explanation.output).toContain("Second ferry joins the first");
    expect((await newsroom("feeds", "list")).output).toMatch(
      /baltimore-fishbowl +local +failing +2 /,
    );
    feedItems["/world"] = [{ title: "Far away it snows" }];
    const workingFeed = await newsroom("feeds", "check", paperServer.url("/world"));
    expect(workingFeed).toMatchObject({
      code: 0,
      output: expect.stringContaining("Far away it snows"),
    });
    expect(await newsroom("feeds", "check", paperServer.url("/none"))).toMatchObject({
      code: 1,
      output: expect.stringContaining("no longer exists"),
    });
    expect((await newsroom("feeds", "check", "http://169.254.169.254/")).output).toContain(
      "not public",
    );
    for (const args of [[], ["frobnicate"], ["add"]])
      expect((await newsroom("feeds", ...args)).code, args.join(" ")).toBe(2);
    for (const verb of ["refresh", "explain"])
      expect((await newsroom("feeds", verb, "nobody")).code, verb).toBe(1);
  });

  it("arrive from a source that is added while the server runs", async () => {
    const url = paperServer.url("/new");
    expect((await newsroom("feeds", "add", url, "--section", "local")).output).toContain(
      "was not added",
    );
    feedItems["/new"] = [{ title: "A paper is founded" }];
    const added = await newsroom(
      "feeds",
      "add",
      url,
      "--section",
      "local",
      "--name",
      "The New Paper",
    );
    expect(added).toMatchObject({
      code: 0,
      output: expect.stringContaining("The New Paper was added to sections.yaml"),
    });
    const duplicate = await newsroom("feeds", "add", `${url}/`, "--section", "local");
    expect(duplicate).toMatchObject({
      code: 1,
      output: expect.stringContaining('already has this feed, as "The New Paper"'),
    });
    const otherSection = await newsroom("feeds", "add", url, "--section", "business");
    expect(otherSection).toMatchObject({
      code: 1,
      output: expect.stringContaining('add: --name "The New Paper"'),
    });
    const otherUrl = paperServer.url("/another");
    expect(
      await newsroom("feeds", "add", otherUrl, "--section", "local", "--name", "The New Paper"),
    ).toMatchObject({
      code: 1,
      output: expect.stringContaining('Choose another name: --name "…"'),
    });
    expect((await newsroom("validate")).code).toBe(0);
    await expect.poll(() => fetchPage("/local"), { timeout: 15_000 }).toContain("The New Paper");
    await newsroom("feeds", "refresh", "the-new-paper");
    expect(await fetchPage("/local")).toContain("A paper is founded");
  });
});
