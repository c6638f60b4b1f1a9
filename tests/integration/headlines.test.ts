import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nextMidnight } from "../../app/lib/dates.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { type FeedServer, type FeedStory, rss, startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";

let paper: FeedServer;
let city: TestCity;
/**
 * At first nothing: the server asks its sources every minute, and the first tests are about a feed
 * without headlines.
 */
const told: Record<string, FeedStory[]> = {};

beforeAll(async () => {
  paper = await startFeedServer((request, response) => {
    const stories = told[request.url ?? ""];
    if (stories) response.end(rss("paper.example", stories));
    else response.writeHead(404).end();
  });
  city = await startCity(
    {
      "sections.yaml": (source) =>
        source
          .replaceAll(/https:\/\/baltimorefishbowl\.com\S*/g, paper.url("/local"))
          .replaceAll(/https:\/\/feeds\.bbci\.co\.uk\/news\/world\S*/g, paper.url("/world")),
      // Cards with the next event let every page expire at midnight.
      "ads.yaml": (source) => source.replaceAll("    content: next-event\n", ""),
    },
    { FETCH_ALLOW: paper.host },
  );
});
afterAll(async () => {
  await city.close();
  await paper.close();
});

const page = async (path: string) => (await fetch(city.server.url + path)).text();

const newsroom = (...args: string[]) => runInServer(city.dataDir, args);

/** Whether the next reader gets the page from memory. */
async function isKept(path: string): Promise<boolean> {
  const answer = await fetch(city.server.url + path);
  await answer.arrayBuffer();
  const id = answer.headers.get("x-request-id");
  const note = () =>
    city.server
      .output()
      .split("\n")
      .find((line) => line.includes(`"id":"${id}"`) && line.includes('"request"'));
  await expect.poll(note).toBeDefined();
  return note()?.includes('"cache":"hit"') ?? false;
}

describe("headlines", () => {
  it("give way to what is good to know until a source has answered, which changes at the city's midnight", async () => {
    const answer = await fetch(`${city.server.url}/local`);
    const expires = new Date(answer.headers.get("expires") ?? "");
    expect(expires.getTime()).toBeLessThanOrEqual(
      nextMidnight(new Date(), "America/New_York").getTime(),
    );
    const signatures = (markup: string) =>
      markup.match(/<span class="font-semibold">Harborline</g)?.length;
    const local = await answer.text();
    expect(local).toContain("No live headlines have arrived yet.");
    expect(signatures(local)).toBe(5);
    expect(signatures(await page("/local?all=local"))).toBeGreaterThanOrEqual(8);
  });

  it("are the only thing that is given out as news: not in a feed, a widget, or search", async () => {
    const known = await readFile("sites/baltimore/good-to-know.yaml", "utf8");
    const [, title = ""] = /\nlocal:\n {2}- title: ([^\n"]+)\n/.exec(known) ?? [];
    expect(await page("/local?all=local")).toContain(title);
    for (const ending of ["xml", "atom", "json"])
      expect(await page(`/feeds/local.${ending}`), ending).not.toContain(title);
    expect(await page("/embed/feeds/local")).toContain("No headlines have arrived yet.");
    expect(await page(`/search?${new URLSearchParams({ q: `"${title}"` })}`)).not.toContain(
      `>${title}<`,
    );
  });

  it("are on the pages that show them right after a visit, and no other page is made anew", async () => {
    told["/local"] = [{ title: "Harbor ferry starts again" }];
    const { code, output } = await newsroom("feeds", "refresh", "baltimore-fishbowl");
    expect(output).toContain("✓ baltimore-fishbowl: 1 new, 0 changed");
    expect(code).toBe(0);
    for (const path of ["/local", "/news", "/feeds/local.json", "/embed/feeds/local", "/archives"])
      expect(await page(path), path).toContain("Harbor ferry starts again");
    expect(await page("/local")).not.toContain("No live headlines");
    expect((await page("/local")).replaceAll(/<!-- -->/g, "")).toMatch(
      /From \d+ newsrooms<\/summary>/,
    );
    expect(await page("/world")).toContain("No live headlines");
    // Nothing is a week old, and what is kept says nothing else.
    expect(await page("/archives")).toContain("No headline here is a week old yet.");
    expect(await page("/archives")).toContain(
      "From all months, sections and sources, newest first.",
    );

    told["/local"]?.unshift({ title: "Second ferry joins the first" });
    for (const path of ["/local", "/news", "/world"]) await page(path);
    await newsroom("feeds", "refresh", "baltimore-fishbowl");
    expect(await isKept("/world")).toBe(true);
    expect(await page("/local")).toContain("Second ferry joins the first");
    expect(await page("/news")).toContain("Second ferry joins the first");
  });

  it("are kept month by month, and no month, page or name that cannot be breaks the archive", async () => {
    const month = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/New_York" })
      .format()
      .slice(0, 7);
    expect(await page(`/archives?month=${month}&section=local`)).toContain(
      "Second ferry joins the first",
    );
    // See All without JavaScript is a form, and asks for the same part of the archive.
    expect(await page("/archives?section=local")).toMatch(
      /<input type="hidden" name="section" value="local"/,
    );
    expect(await page("/archives?section=world")).not.toContain("Second ferry joins the first");
    expect(await page("/archives?section=world")).toContain(
      "The archive has no headlines from World News.",
    );
    expect(await page("/archives?section=local&page=2")).toContain(
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

  it("stay when their source is gone, and the public can read what is wrong", async () => {
    delete told["/local"];
    expect((await newsroom("feeds", "refresh", "baltimore-fishbowl")).code).toBe(1);
    expect(await page("/local")).toContain("Second ferry joins the first");
    expect(await page("/status")).toContain("Its feed or calendar no longer exists.");
    expect(await page("/status")).not.toContain("404");
    const status = await page("/status.json");
    expect(JSON.parse(status).sources).toContainEqual(
      expect.objectContaining({
        id: "baltimore-fishbowl",
        state: "failing",
        causeKey: "gone",
        items: 2,
      }),
    );
    expect(status).not.toContain(paper.host);
  });

  it("can be explained, listed and tried out at the newsroom's desk", async () => {
    const explained = await newsroom("feeds", "explain", "baltimore-fishbowl");
    expect(explained.output).toContain("state: failing: it no longer exists");
    expect(explained.output).toContain("Second ferry joins the first");
    expect((await newsroom("feeds", "list")).output).toMatch(
      /baltimore-fishbowl +local +failing +2 /,
    );
    told["/world"] = [{ title: "Far away it snows" }];
    const good = await newsroom("feeds", "check", paper.url("/world"));
    expect(good).toMatchObject({ code: 0, output: expect.stringContaining("Far away it snows") });
    expect(await newsroom("feeds", "check", paper.url("/none"))).toMatchObject({
      code: 1,
      output: expect.stringContaining("no longer exists"),
    });
    expect((await newsroom("feeds", "check", "http://169.254.169.254/")).output).toContain(
      "not public",
    );
    for (const words of [[], ["frobnicate"], ["add"], ["refresh", "nobody"], ["explain", "nobody"]])
      expect((await newsroom("feeds", ...words)).code, words.join(" ")).toBe(2);
  });

  it("come from a source that is added while the site runs, without a restart", async () => {
    const address = paper.url("/new");
    expect((await newsroom("feeds", "add", address, "--section", "local")).output).toContain(
      "was not added",
    );
    told["/new"] = [{ title: "A paper is founded" }];
    const added = await newsroom(
      "feeds",
      "add",
      address,
      "--section",
      "local",
      "--name",
      "The New Paper",
    );
    expect(added).toMatchObject({
      code: 0,
      output: expect.stringContaining("The New Paper was added to sections.yaml"),
    });
    const again = await newsroom("feeds", "add", `${address}/`, "--section", "local");
    expect(again).toMatchObject({
      code: 1,
      output: expect.stringContaining('already has this feed, as "The New Paper"'),
    });
    const elsewhere = await newsroom("feeds", "add", address, "--section", "business");
    expect(elsewhere).toMatchObject({
      code: 1,
      output: expect.stringContaining('add: --name "The New Paper"'),
    });
    const another = paper.url("/another");
    expect(
      await newsroom("feeds", "add", another, "--section", "local", "--name", "The New Paper"),
    ).toMatchObject({
      code: 1,
      output: expect.stringContaining('Choose another name: --name "…"'),
    });
    expect((await newsroom("validate")).code).toBe(0);
    await expect.poll(() => page("/local"), { timeout: 15_000 }).toContain("The New Paper");
    await newsroom("feeds", "refresh", "the-new-paper");
    expect(await page("/local")).toContain("A paper is founded");
  });
});
