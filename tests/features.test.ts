import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, it } from "vitest";
import routes from "../app/routes.ts";
import { createCommands, jobs, siteFiles } from "../server/composition.ts";
import { features } from "../server/features.ts";
import { readSite } from "../server/site/site-files.ts";
import { tides } from "./fixtures/tides/feature.server.ts";
import { wholeCity } from "./support/whole-city.ts";

/** Pages that search does not find, each with the reason. */
const notFindable: Record<string, string> = {
  "/": "every page links to it",
  "/search": "it is the search page itself",
  "/status": "for the newsroom and for programs; the footer links to it",
  "/newsletter/confirm": "an email links to it",
  "/newsletter/unsubscribe": "an email links to it",
  "/contact/form": "/contact shows it in an iframe",
};

const listPages = (entries: RouteConfigEntry[], parent = ""): string[] =>
  entries.flatMap(({ path = "", file, children }) => {
    const fullPath = `${parent}${path === "" ? "" : `/${path}`}`;
    if (children) return listPages(children, fullPath);
    return file.endsWith(".tsx") && !/[:*]/.test(fullPath) ? [fullPath || "/"] : [];
  });

describe("features", () => {
  it("are all listed, each with a feature.server.ts", () => {
    // A part of a feature that has a declaration of its own is in a sub-folder.
    const declared = globSync("app/features/**/feature.server.ts").map(dirname);
    const folders = readdirSync("app/features");
    expect(folders.filter((name) => !declared.includes(`app/features/${name}`))).toEqual([]);
    expect(features.map(({ name }) => name).toSorted()).toEqual(
      declared.map((folder) => basename(folder)).toSorted(),
    );
  });

  it("let readers find every page by search, except those listed with a reason", async () => {
    const site = await readSite("sites/baltimore", siteFiles);
    const findable = features.flatMap(({ pages }) => Object.keys(pages?.(site) ?? {}));
    // The desk is not for readers.
    const pages = listPages(await routes).filter((path) => !/^\/desk(\/|$)/.test(path));
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.filter((path) => !findable.includes(path) && !(path in notFindable))).toEqual([]);
    expect(Object.keys(notFindable).filter((path) => !pages.includes(path))).toEqual([]);
  });

  it("do not share names of features, jobs, commands or retention rules", () => {
    const names = [
      features.map(({ name }) => name),
      // This list includes the server's own jobs.
      jobs.map(({ name }) => name),
      createCommands(() => expect.unreachable()).map(({ name }) => name),
      features.flatMap(({ retention }) => Object.keys(retention ?? {})),
    ];
    for (const list of names) expect(list).toEqual([...new Set(list)]);
  });

  it("can be added the way the contributing guide shows", () => {
    const example = readFileSync("tests/fixtures/tides/feature.server.ts", "utf8");
    // The fixture is in another folder, so its import paths are longer than those of a feature.
    const asInGuide = example.replaceAll("../../../app/", "../../");
    expect(readFileSync("docs/contributing.md", "utf8")).toContain(`\`\`\`ts\n${asInGuide}\`\`\``);
    expect(
      tides.pages?.({
        read: () => ({ title: "Tides", highTide: "6:10" }) as never,
        ...wholeCity,
        readAll: () => [],
      }),
    ).toEqual({
      "/tides": { title: "Tides", summary: "High tide: 6:10" },
    });
  });
});
