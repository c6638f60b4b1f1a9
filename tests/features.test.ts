import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, it } from "vitest";
import routes from "../app/routes.ts";
import { createCommands, jobs, siteFiles } from "../server/composition.ts";
import { features } from "../server/features.ts";
import { readSite } from "../server/site/site-files.ts";
import { tides } from "./fixtures/tides/feature.server.ts";

/** Pages that nobody searches for: each has its reason. */
const notSearched: Record<string, string> = {
  "/": "every page leads there",
  "/search": "it is where one searches",
  "/status": "for the newsroom and for machines; the footer has it",
  "/newsletter/confirm": "a mail leads there",
  "/newsletter/unsubscribe": "a mail leads there",
  "/contact/form": "a frame of /contact",
};

const pagesIn = (entries: RouteConfigEntry[], above = ""): string[] =>
  entries.flatMap(({ path = "", file, children }) => {
    const here = `${above}${path === "" ? "" : `/${path}`}`;
    if (children) return pagesIn(children, here);
    return file.endsWith(".tsx") && !/[:*]/.test(here) ? [here || "/"] : [];
  });

describe("features", () => {
  it("are all listed, each with its front door", () => {
    const folders = readdirSync("app/features");
    expect(folders.filter((name) => !existsSync(`app/features/${name}/feature.server.ts`))).toEqual(
      [],
    );
    expect(features.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  });

  it("make every page findable, or say why not", async () => {
    const site = await readSite("sites/baltimore", siteFiles);
    const findable = features.flatMap(({ pages }) => Object.keys(pages?.(site) ?? {}));
    const all = pagesIn(await routes);
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter((path) => !findable.includes(path) && !(path in notSearched))).toEqual([]);
    expect(Object.keys(notSearched).filter((path) => !all.includes(path))).toEqual([]);
  });

  it("have names, jobs, commands and promises of their own", () => {
    const names = [
      features.map(({ name }) => name),
      // Together with those of the server itself.
      jobs.map(({ name }) => name),
      createCommands(() => expect.unreachable()).map(({ name }) => name),
      features.flatMap(({ retention }) => Object.keys(retention ?? {})),
    ];
    for (const list of names) expect(list).toEqual([...new Set(list)]);
  });

  it("are added as the guide shows", () => {
    const example = readFileSync("tests/fixtures/tides/feature.server.ts", "utf8");
    // The test's folder is elsewhere; a feature's own imports are shorter.
    const shown = example.replaceAll("../../../app/", "../../");
    expect(readFileSync("docs/contributing.md", "utf8")).toContain(`\`\`\`ts\n${shown}\`\`\``);
    expect(
      tides.pages?.({ read: () => ({ title: "Tides", high: "6:10" }) as never, readAll: () => [] }),
    ).toEqual({
      "/tides": { title: "Tides", summary: "High water: 6:10" },
    });
  });
});
