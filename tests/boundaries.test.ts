import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * The modules that each module may import, from the lowest layer to the highest. This table is both
 * the rule and its documentation. A module is the first two parts of a path in app/ and server/,
 * and the first part elsewhere. "server" means all modules of the server. All other imports between
 * modules are forbidden. npm packages are allowed everywhere.
 */
const mayImport: Record<string, string[]> = {
  db: ["db"],
  "app/lib": ["app/lib"],
  "app/edition": ["app/edition", "app/lib"],
  "app/site-files": ["app/site-files", "app/lib"],
  "app/platform": ["app/platform", "app/lib", "app/site-files", "db"],
  "app/ui": ["app/ui", "app/lib", "app/site-files"],
  "app/features": [
    "app/features",
    "app/platform",
    "app/ui",
    "app/lib",
    "app/edition",
    "app/site-files",
    "db",
  ],
  "app/context": ["app/platform", "app/lib", "app/edition"],
  "app/routes": ["app/features", "app/platform", "app/ui", "app/lib", "app/context"],
  "app/entry": ["app/lib", "app/edition", "app/context"],
  "app/root": ["app/features", "app/platform", "app/ui", "app/lib", "app/context"],
  "app/styles": ["app/styles", "app/lib", "app/app.css"],
  "server/features": ["app/features", "app/platform"],
  "server/process": ["app/lib", "app/platform", "db", "server/process", "package.json"],
  "server/workers": [
    "app/features",
    "app/lib",
    "app/site-files",
    "app/platform",
    "db",
    "server/workers",
  ],
  "server/site": [
    "app/features",
    "app/lib",
    "app/site-files",
    "app/platform",
    "server/process",
    "server/workers",
    "server/site",
  ],
  "server/http": [
    "app/features",
    "app/lib",
    "app/styles",
    "app/site-files",
    "app/platform",
    "server/process",
    "server/site",
    "server/http",
  ],
  "server/radio": [
    "app/features",
    "app/lib",
    "app/platform",
    "server/site",
    "server/http",
    "server/radio",
  ],
  "server/live": [
    "app/features",
    "app/lib",
    "app/platform",
    "server/site",
    "server/http",
    "server/live",
  ],
  "server/pages": [
    "app/features",
    "app/lib",
    "app/styles",
    "app/edition",
    "app/platform",
    "app/context",
    "db",
    "server/site",
    "server/http",
    "server/pages",
  ],
  "server/newsroom": [
    "app/features",
    "app/lib",
    "app/site-files",
    "app/platform",
    "db",
    "server/features",
    "server/process",
    "server/site",
    "server/radio",
    "server/pages",
    "server/newsroom",
  ],
  server: [
    "app/features",
    "app/lib",
    "app/edition",
    "app/site-files",
    "app/platform",
    "app/context",
    "db",
    "server",
  ],
  cli: ["app/lib", "app/platform", "db", "server", "cli"],
  bench: [
    "app/features",
    "app/platform",
    "app/lib",
    "app/site-files",
    "db",
    "server",
    "tests",
    "bench",
  ],
  tests: ["app", "db", "server", "cli", "tests"],
};

/**
 * This feature contains the city's name, addresses and time zone, so every feature may import it.
 */
const sharedFeature = "brand";

/**
 * Features that may import another feature. All other features are combined only in a route, or
 * through their declarations.
 */
const featureMayImport: Record<string, string[]> = {
  ads: ["blog", "events", "file-notes", "radio"],
  blog: ["device", "feeds", "file-notes", "saved", "share-images", "stories"],
  brief: ["alerts", "events", "feeds", "file-notes", "radio", "saved", "stories"],
  desk: [
    "alerts",
    "blog",
    "brief",
    "community",
    "contact",
    "events",
    "failures",
    "feeds",
    "file-notes",
    "forms",
    "mail",
    "official-alerts",
    "redirects",
    "sources",
    "stories",
  ],
  device: ["alerts", "forms", "offline", "saved"],
  layout: ["alerts", "device", "newsletter", "offline", "saved", "search"],
  contact: ["embeds", "forms"],
  community: ["stories"],
  events: ["embeds", "file-notes", "forms", "places", "saved", "sources"],
  failures: ["feeds", "search", "stories"],
  "file-notes": ["redirects"],
  feeds: ["device", "embeds", "file-notes", "places", "saved", "sources"],
  forms: ["mail"],
  home: ["brief", "device", "events", "feeds", "radio", "stories", "weather"],
  newsletter: ["brief", "events", "forms", "mail"],
  "official-alerts": ["alerts", "sources", "weather"],
  partners: ["embeds"],
  saved: ["offline"],
  search: ["feeds", "saved"],
  "section-news": ["blog", "events", "feeds", "places", "stories"],
  stories: ["about", "device", "feeds", "file-notes", "forms", "redirects", "saved"],
  tally: ["redirects"],
  weather: ["sources"],
};

/**
 * The files of a feature that the server may import: its declaration, and the tasks of its worker
 * threads.
 */
const entryPoints = /\/(?:feature|tasks)\.server\.ts$/;

/** In a folder with more files than this, it is hard to find anything. Tests do not count. */
const maxFilesPerFolder = 16;
/** These folders have one file per route, or one file per migration. */
const largeFolders = ["app/routes", "db/migrations"];

/**
 * These files import application code only from the bundle, so that a process loads that code only
 * once.
 */
const thinEntries = ["server/start.ts", "server/main.ts", "server/dev.ts", "cli/newsroom.ts"];

type Import = { from: string; to: string; typeOnly: boolean };

const files = globSync("{app,server,db,cli,bench,tests}/**/*.{ts,tsx}");
const imports: Import[] = files.flatMap((from) =>
  [
    ...readFileSync(from, "utf8").matchAll(
      /(?:^(?:import|export)\s+(type\s)?[^;"]*?|\bimport\()"(\.{1,2}\/[^"]+)"/gm,
    ),
  ]
    .map(([, typeOnly, path = ""]) => ({
      from,
      to: normalize(join(dirname(from), path.replace(/\?.*$/, ""))),
      typeOnly: typeOnly !== undefined,
    }))
    .filter(({ to }) => !to.includes("/+types/")),
);

function findModule(path: string): string {
  const [first = "", second = ""] = path.split("/");
  if (first === "server")
    return second.endsWith(".ts") && second !== "features.ts"
      ? first
      : `${first}/${second.replace(".ts", "")}`;
  if (first !== "app") return first;
  return `app/${second.replace(/\.(server|client)?\.?tsx?$/, "")}`.replace(
    "app/routes.ts",
    "app/routes",
  );
}

const isIn = (path: string, modules: string[] = []) =>
  modules.includes(findModule(path)) || modules.includes(path.split("/")[0] ?? "");

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const findFeature = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1];

describe("imports", () => {
  it("are found in the sources", () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it("follow the table of allowed imports", () => {
    const wrong = imports
      .filter(({ from }) => !isTest(from))
      .filter(({ from, to }) => !isIn(to, mayImport[findModule(from)]));
    expect(wrong).toEqual([]);
  });

  it("between features are all in the list", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [one, other] = [findFeature(from), findFeature(to)];
      return (
        !isTest(from) &&
        one &&
        other &&
        one !== other &&
        other !== sharedFeature &&
        !featureMayImport[one]?.includes(other)
      );
    });
    expect(wrong).toEqual([]);
  });

  it("between features use every entry of the list", () => {
    const used = new Set(imports.map(({ from, to }) => `${findFeature(from)} ${findFeature(to)}`));
    const unused = Object.entries(featureMayImport).flatMap(([one, others]) =>
      others.map((other) => `${one} ${other}`).filter((pair) => !used.has(pair)),
    );
    expect(unused).toEqual([]);
  });

  it("between features do not form a cycle", () => {
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      (featureMayImport[from] ?? []).some((next) => {
        if (next === goal) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, goal, seen);
      });
    expect(Object.keys(featureMayImport).filter((name) => reaches(name, name))).toEqual([]);
  });

  it("from the server into a feature use only its entry points", () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith("server/") && !isTest(from) && findFeature(to) && !entryPoints.test(to),
    );
    expect(wrong).toEqual([]);
  });

  it("between files do not form a cycle", () => {
    const importsByFile = Map.groupBy(
      imports.filter(({ from }) => !isTest(from)),
      ({ from }) => from,
    );
    const cycles: string[][] = [];
    const done = new Set<string>();
    const visit = (file: string, path: string[]): void => {
      const start = path.indexOf(file);
      if (start >= 0) cycles.push([...path.slice(start), file]);
      if (start >= 0 || done.has(file)) return;
      for (const { to } of importsByFile.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of importsByFile.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("of app code in the entry files of the server and the command line are only types and helpers", () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        thinEntries.includes(from) &&
        !typeOnly &&
        (to === "server/app.ts" || /^app\/(?!lib\/)/.test(to)),
    );
    expect(wrong).toEqual([]);
  });
});

it(`no folder has more than ${maxFilesPerFolder} files`, () => {
  const sources = files.filter(
    (file) => /^(?:app|server|db|cli|bench)\//.test(file) && !isTest(file),
  );
  const folders = Map.groupBy(sources, dirname);
  const tooLargeFolders = [...folders]
    .filter(([folder, { length }]) => length > maxFilesPerFolder && !largeFolders.includes(folder))
    .map(([folder, { length }]) => `${folder}: ${length}`);
  expect(tooLargeFolders).toEqual([]);
});
