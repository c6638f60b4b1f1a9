import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRss, startFeedServer } from "./feed-server.ts";
import { runInServer } from "./newsroom.ts";
import { type RunningServer, startServer, temporaryFolder } from "./server.ts";

/** What people type to create the second city of the tests, except its feeds. */
export const secondCity = [
  ...["city", "new", "denver", "--name", "Harborline Denver", "--city", "Denver"],
  ...["--state", "Colorado", "--time-zone", "America/Denver", "--lat", "39.7392"],
  ...["--lon", "-104.9903", "--domain", "denver.example.com", "--without", "radio,books,blog"],
];

export const secondCityHeadlines = [
  "Council votes on bike lanes",
  "Light rail returns to full service",
  "Library branch reopens",
];

/** Runs the newsroom program in a process of its own. */
export async function runNewsroom(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  execFile("./newsroom", args, { env: { ...process.env, ...env } }, (error, stdout) =>
    resolve({ code: error ? Number(error.code) : 0, output: stdout }),
  );
  return promise;
}

export type SecondCity = {
  server: RunningServer;
  dataDir: string;
  siteFolder: string;
  sitesDir: string;
  close(): Promise<void>;
};

/**
 * Creates a city with one command, starts it, and gives it a day: headlines from a feed on this
 * machine, an event and a story.
 */
export async function startSecondCity(): Promise<SecondCity> {
  const folder = await temporaryFolder();
  const [sitesDir, dataDir] = [join(folder.path, "sites"), join(folder.path, "data")];
  const siteFolder = join(sitesDir, "denver");
  const paper = await startFeedServer((_request, response) => {
    const date = (index: number) => new Date(Date.now() - (index + 1) * 600_000).toUTCString();
    const entries = secondCityHeadlines.map((title, index) => ({ title, date: date(index) }));
    response.end(createRss("paper.example.com", entries));
  });
  const close = async (server?: RunningServer) => {
    await server?.stop();
    await paper.close();
    await folder.remove();
  };
  try {
    const env = { SITES_DIR: sitesDir, DATA_DIR: dataDir, FETCH_ALLOW: paper.host, OFFLINE: "1" };
    const created = await runNewsroom(env, ...secondCity, "--feeds", paper.url("/feed"));
    if (created.code !== 0) throw new Error(`The city was not created: ${created.output}`);
    for (const [path, text] of Object.entries(ownContent)) {
      await mkdir(join(siteFolder, path, ".."), { recursive: true });
      await writeFile(join(siteFolder, path), text);
    }
    await chooseLook(join(siteFolder, "brand.yaml"));
    const drawn = [
      "mark.svg",
      "touch-icon.png",
      "share.png",
      "wordmark.svg",
      "hero.svg",
      "sky.svg",
    ];
    const { code, output } = await runNewsroom(
      { ...env, SITE: "denver" },
      "city",
      "draw",
      "denver",
      ...drawn,
    );
    if (code !== 0) throw new Error(output);
    // Not from the template of other tests, which contains what Baltimore's server stored.
    const server = await startServer({ ...env, SITE: "denver" });
    const refreshed = await runInServer(dataDir, ["feeds", "refresh"]);
    if (refreshed.code !== 0) throw new Error(refreshed.output);
    return { server, dataDir, siteFolder, sitesDir, close: () => close(server) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The colors of the second city that differ from the template's. */
export const secondCityColors: Record<string, string> = {
  paper: '{ light: "#faf8f4", dark: "#0e1c18" }',
  surface: '{ light: "#ffffff", dark: "#142a24" }',
  sunken: '{ light: "#efece2", dark: "#0a1512" }',
  ink: '{ light: "#1c2622", dark: "#efeade" }',
  accent: '{ light: "#1d5c50", dark: "#8fd0c0" }',
  signal: '{ light: "#9c2f4f", dark: "#f29bb4" }',
  band: '{ light: "#123a33", dark: "#17453c" }',
  bandLine: '"#2b5951"',
  dateTile: '{ light: "#123a33", dark: "#1d574c" }',
  night: '"#0f2b26"',
  horizon: '"#0d2c26"',
  highlight: '"#f0a45d"',
  highlightBright: '"#f8bb80"',
  onHighlight: '"#0d2c26"',
};

/** Gives the city colors and fonts of its own, as an editor would. */
async function chooseLook(path: string): Promise<void> {
  let source = (await readFile(path, "utf8")).replace(/^fonts: .*/m, "fonts: bitter");
  for (const [name, value] of Object.entries(secondCityColors))
    source = source.replace(new RegExp(`^  ${name}: .*`, "m"), `  ${name}: ${value}`);
  await writeFile(path, source);
}

const ownContent = {
  "events/concert.md": `---
title: Concert in the Park
excerpt: The high school band plays outdoors.
category: Music
starts: { inDays: 2, at: "18:00" }
ends: { inDays: 2, at: "20:00" }
location: City Park
free: true
---
`,
  "news/first-story.md": `---
title: The block that shovels its own sidewalk
excerpt: Twelve neighbors and one list.
category: Neighborhoods
date: 2026-11-01
image: { file: street.svg, alt: A street of brick houses }
---

Every fall the list goes up on the same door.
`,
};
