import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runInServer } from "../support/newsroom.ts";
import { type Nginx, startNginx } from "../support/nginx.ts";
import { createDatabase } from "../support/postgres.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const nginxProgram = inject("nginx");

/** Cached pages, editions, pages that are never cached, a missing page and feeds. */
const pages = [
  "/",
  "/news",
  "/events",
  "/about",
  "/blog",
  "/brief",
  "/alerts",
  "/radio",
  "/books",
  "/contact?edition=light",
  "/?edition=light",
  "/newsletter",
  "/search?q=harbor",
  "/no-such-page",
];
const files = ["/feeds/alerts.xml", "/feeds/alerts.atom", "/feeds/alerts.json", "/banner.json"];
const water = "Water main break downtown";
const noon = "2026-11-18T17:00:00Z";

describe("alerts", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let database: TcpProxy;
  let nodes: RunningServer[];
  let nginx: Nginx | undefined;
  let siteFolder: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    siteFolder = join(folder.path, "sites", "baltimore");
    await cp("sites/baltimore", siteFolder, { recursive: true });
    const url = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
    database = await startTcpProxy(url);
    const nodeUrl = new URL(url);
    nodeUrl.port = new URL(database.url).port;
    nodes = await Promise.all(
      ["one", "two"].map((name) =>
        startServer({
          SITES_DIR: join(folder.path, "sites"),
          DATA_DIR: join(folder.path, name),
          DATABASE_URL: nodeUrl.href,
          TRUST_PROXY: "127.0.0.1",
          FAKE_NOW: noon,
        }),
      ),
    );
    const [one, two] = nodes;
    if (nginxProgram && one && two) nginx = await startNginx(nginxProgram, [one.url, two.url]);
  });
  afterAll(async () => {
    await nginx?.stop();
    await Promise.all((nodes ?? []).map((node) => node.stop()));
    database?.disconnect();
    await folder.remove();
  });

  const newsroom = async (...argv: string[]) => {
    const { code, output } = await runInServer(join(folder.path, "one"), argv);
    return { code, output };
  };
  /** The paths whose text has, or lacks, a sentence: on each node, and through nginx. */
  const listPages = async (text: string, isShown: boolean, paths = [...pages, ...files]) => {
    const sources = [
      ...nodes.map(
        ({ url }) =>
          async (path: string) =>
            (await fetch(url + path)).text(),
      ),
      ...(nginx ? [async (path: string) => (await nginx?.request(path))?.body ?? ""] : []),
    ];
    const found = await Promise.all(
      sources.flatMap((read, index) =>
        paths.map(async (path) =>
          (await read(path)).includes(text) === isShown ? [] : [`${index} ${path}`],
        ),
      ),
    );
    return found.flat();
  };
  /** The file changes together with the pages, and is read faster than all of them. */
  const waitForFile = (text: string, isShown: boolean) =>
    expect.poll(() => listPages(text, isShown, ["/banner.json"])).toEqual([]);
  const everywhere = async (text: string) => {
    await waitForFile(text, true);
    await expect.poll(() => listPages(text, true)).toEqual([]);
  };
  /** /alerts, the brief and the feeds keep what has ended. */
  const archive = ["/alerts", "/brief", ...files.slice(0, 3)];
  const gone = async (text: string) => {
    await waitForFile(text, false);
    const paths = pages.filter((path) => !archive.includes(path));
    await expect.poll(() => listPages(text, false, paths)).toEqual([]);
  };

  it("appear on all pages of all nodes, change and end", async () => {
    // The pages are cached before.
    expect(await newsroom("brief", "make", "--again")).toMatchObject({ code: 0 });
    await gone(water);
    const created = await newsroom(
      "alert",
      water,
      "--until",
      "18:00",
      "--link",
      "/news",
      "--level",
      "urgent",
    );
    expect(created).toMatchObject({ code: 0 });
    await everywhere(water);

    expect((await newsroom("alert", "list")).output).toContain(water);
    expect((await newsroom("alert", "extend", "--until", "20:00")).output).toContain("8:00 PM");
    await everywhere("8:00 PM");
    const changed = "Water is back, boil it until Friday";
    expect((await newsroom("alert", "extend", "--text", changed)).output).toContain(changed);
    await everywhere(changed);
    await gone(water);
    expect(await newsroom("alert", "extend")).toMatchObject({ code: 2 });
    expect((await newsroom("alert", "Second", "alert", "of", "the", "day")).code).toBe(0);
    await everywhere("Second alert of the day");
    const several = await newsroom("alert", "end");
    expect(several).toMatchObject({ code: 2 });
    expect(several.output).toContain(changed);
    expect(several.output).toContain("--all");
    expect((await newsroom("alert", "end", "--all")).code).toBe(0);
    await gone(changed);
    await gone("Second alert");
    expect(await listPages(changed, true, archive)).toEqual([]);
    expect((await newsroom("alert", "end")).output).toContain("No alert is running");
  });

  it("refuse what looks like a mistake, and publish nothing", async () => {
    for (const argv of [
      ["Some text", "--until", "soon"],
      ["Some text", "--level", "x"],
    ])
      expect((await newsroom("alert", ...argv)).code).toBe(2);
    for (const word of [
      "ends",
      "stop",
      "cancel",
      "remove",
      "off",
      "delete",
      "show",
      "help",
      "stop 91a47ea0",
      "remove 91a4",
    ]) {
      const { code, output } = await newsroom("alert", word);
      expect(code, word).toBe(2);
      expect(output, word).toContain("alert end");
      expect(output, word).toContain("alert list");
    }
    expect((await newsroom("alert", "list")).output).toContain("No alert is running");
  });

  it("lead to a page or file that readers can open, also by a redirect", async () => {
    await writeFile(join(siteFolder, "redirects.yaml"), "/news/old-name: /news\n");
    const add = async (link: string) =>
      (await newsroom("alert", "See", "the", "page", link, "--link", link)).output;
    for (const link of ["/events/submit", "/blog/feed.xml"])
      expect(await add(link)).toContain("Every page shows it");
    for (const link of ["/meetings/nonsense", "/blog/nonsense"])
      expect(await add(link)).toContain("There is no page");
    await expect.poll(() => add("/news/old-name")).toContain("Every page shows it");
    expect((await newsroom("alert", "end", "--all")).code).toBe(0);
  });

  it("come from notice.yaml, and leave with it", async () => {
    const file = join(siteFolder, "notice.yaml");
    await writeFile(file, "text: Offices are closed\nuntil: 2026-11-18 18:00\n");
    await everywhere("Offices are closed");
    await rm(file);
    await gone("Offices are closed");
  });

  it("stay while the database is down, and end then by themselves", async () => {
    expect((await newsroom("alert", "Ends at one", "--until", "13:00")).code).toBe(0);
    await everywhere("Ends at one");
    database.disconnect();
    await expect
      .poll(() => listPages("Ends at one", true, ["/", "/about", "/banner.json"]))
      .toEqual([]);
    for (const node of nodes) await node.setClock("2026-11-18T17:59:58Z");
    await expect
      .poll(() => listPages("Ends at one", false, ["/", "/about", "/?edition=light"]))
      .toEqual([]);
  });
});
