import { copyFile, cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { runCommand } from "../../../server/newsroom/commands.ts";
import { runWithJson } from "../../../server/newsroom/print-json.ts";
import { bareHost } from "../../../tests/support/command-host.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { createRss, type FeedServer, startFeedServer } from "../../../tests/support/feed-server.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { createSafeFetch } from "../../lib/external/safe-fetch.server.ts";
import { QueueFull } from "../../lib/external/work-refused.ts";
import { feedsCommand } from "./command.server.ts";

describe("feeds refresh", () => {
  let database: OpenDatabase;
  let papers: FeedServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    database = await openTestDatabase();
    papers = await startFeedServer((request, response) =>
      response.end(createRss("paper.example", [{ title: `A story of ${request.url}` }])),
    );
    folder = await temporaryFolder();
    await copyFile("sites/baltimore/site.yaml", join(folder.path, "site.yaml"));
    await cp("sites/baltimore/art", join(folder.path, "art"), { recursive: true });
    const sources = ["/a", "/b"].map((path) => `{ name: ${path[1]}, url: "${papers.url(path)}" }`);
    await writeFile(
      join(folder.path, "sections.yaml"),
      `
places: [Baltimore]
widgetPoster: { file: mark.svg }
sections:
  news: { heading: N, intro: I, description: D, feeds: {} }
  archives: { heading: A, intro: I, description: D, feeds: {} }
  local: { heading: L, intro: I, description: D, feeds: { local: { title: T, description: D, sources: [${sources.join(", ")}] } } }
`,
    );
  });
  afterAll(async () => {
    await folder.remove();
    await papers.close();
    await database.close();
  });

  const run = async (words: string[], changes: Partial<typeof bareHost> = {}) => {
    const lines: string[] = [];
    const steps: string[] = [];
    const host = {
      ...bareHost,
      siteFolder: folder.path,
      database: async () => database.db,
      fetch: createSafeFetch([papers.host]),
      print: (line: string) => lines.push(line),
      progress: ({ done, all }: { done: number; all: number }) => steps.push(`${done}/${all}`),
      ...changes,
    };
    const code = await runWithJson(["feeds", "refresh", ...words], host, (typed, caller) =>
      runCommand([feedsCommand], typed, caller),
    );
    return { code, output: lines.join("\n"), steps };
  };

  it.each([[[]], [["a"]], [["a", "b"]]])(
    "of %j returns one list of outcomes, and needs no other file of the city",
    async (ids) => {
      const { code, output, steps } = await run([...ids, "--json"]);
      expect(code).toBe(0);
      const expected = ids.length === 0 ? ["a", "b"] : ids;
      expect(JSON.parse(output).map(({ id }: { id: string }) => id)).toEqual(expected);
      expect(steps).toEqual(expected.map((_, index) => `${index + 1}/${expected.length}`));
    },
  );

  it("fetches nothing if one of the ids is wrong", async () => {
    const before = papers.requests.length;
    const { code, output } = await run(["a", "c"]);
    expect(output).toMatch(/^✗ There is no source "c"\./);
    expect([code, papers.requests.length]).toEqual([1, before]);
  });

  it("says which sources were not fetched", async () => {
    await database.db.execute("delete from source_documents");
    const busy = { runInWorker: () => Promise.reject(new QueueFull("busy")) };
    const { output, steps } = await run(["a"], busy);
    expect(output).toMatch(/^! a: not fetched/);
    expect(steps).toEqual(["1/1"]);
  });
});
