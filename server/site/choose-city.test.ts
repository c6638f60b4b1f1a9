import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../tests/support/server.ts";
import { extractCity } from "../newsroom/command-line.ts";
import { recordOwner } from "./choose-city.ts";
import { readConfig } from "./config.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe("with several cities", () => {
  async function createSites(cities: string[], network?: string): Promise<string> {
    const sites = join(folder.path, cities.join("-"), "sites");
    for (const city of cities) await mkdir(join(sites, city), { recursive: true });
    if (network !== undefined) await writeFile(join(sites, "network.yaml"), network);
    return sites;
  }
  // The checkout may have a data folder, which belongs to one city.
  const choose = (sites: string, env = {}) =>
    basename(readConfig({ SITES_DIR: sites, DATA_DIR: folder.path, ...env }).siteFolder);

  it("the default city of network.yaml is served, even if the file has mistakes elsewhere", async () => {
    const sites = await createSites(["annapolis", "baltimore"], "cities: []\n");
    for (const network of [
      "default: annapolis\ncities:",
      "name: {\ndefault: annapolis",
      'default: "annapolis"',
    ]) {
      await writeFile(join(sites, "network.yaml"), network);
      expect(choose(sites), network).toBe("annapolis");
    }
    expect(choose(sites, { SITE: "baltimore" })).toBe("baltimore");
  });

  it("Baltimore is served if there is no network.yaml, or the only city", async () => {
    expect(choose(await createSites(["boston", "baltimore"]))).toBe("baltimore");
    expect(choose(await createSites(["denver"]))).toBe("denver");
  });

  it.each([undefined, "default: norfolk", "name: Harborline", "- a list", ""])(
    "SITE must be set if the default city has no folder: %j",
    async (network) => {
      const sites = await createSites(["annapolis", "boston"], network);
      expect(() => choose(sites)).toThrow(
        /^Which city\? Set SITE, or --city for \.\/newsroom, to one of: annapolis, boston\. Or write its name as default into .*network\.yaml\.$/,
      );
    },
  );

  it("each city has its own data folder, and none uses the data of another one", async () => {
    const sites = await createSites(["austin", "baltimore"]);
    expect(readConfig({ SITES_DIR: sites }).dataDir).toBe(resolve("var"));
    expect(readConfig({ SITES_DIR: sites, SITE: "austin" }).dataDir).toBe(
      resolve("var/cities/austin"),
    );
    const DATA_DIR = join(folder.path, "data");
    await recordOwner(DATA_DIR, join(sites, "baltimore"));
    expect(readConfig({ SITES_DIR: sites, DATA_DIR }).dataDir).toBe(DATA_DIR);
    expect(() => readConfig({ SITES_DIR: sites, DATA_DIR, SITE: "austin" })).toThrow(
      `${DATA_DIR} contains the data of the city "baltimore", not of "austin". Set DATA_DIR to another folder.`,
    );
  });
});

it.each([
  ["--city annapolis validate --json", "validate --json", "annapolis"],
  ["validate --city=annapolis --json", "validate --json", "annapolis"],
  ["validate --city", "validate", ""],
  ["events list -- --city annapolis", "events list -- --city annapolis", undefined],
  ["city new denver --city Denver", "city new denver --city Denver", undefined],
  ["--city annapolis city new denver --city Denver", "city new denver --city Denver", "annapolis"],
])("`newsroom %s` runs `%s` for the city %s", (typed, words, city) => {
  expect(extractCity(typed.split(" "))).toEqual({
    words: words.split(" "),
    ...(city === undefined ? {} : { city }),
  });
});

it("the settings of a city come before those of all cities, and the environment before both", async () => {
  const sites = join(folder.path, "settings/sites");
  for (const city of ["annapolis", "baltimore"])
    await mkdir(join(sites, city), { recursive: true });
  const cwd = join(sites, "..");
  await writeFile(join(cwd, ".env"), "PORT=4000\nMETRICS_PORT=5000\nMAIL_FROM=all@example.com\n");
  await writeFile(join(cwd, ".env.annapolis"), "PORT=4001\nMETRICS_PORT=5001\n");
  const script = `import { loadConfig } from ${JSON.stringify(new URL("config.ts", import.meta.url))};
    const { port, metricsPort, mailFrom, siteFolder } = loadConfig(process.argv[1]);
    console.log(JSON.stringify([port, metricsPort, mailFrom.address, siteFolder]));`;
  const args = ["--input-type=module", "-e", script, "annapolis"];
  const env = { PATH: process.env.PATH, METRICS_PORT: "6000", SITE: "baltimore" };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env });
  expect(JSON.parse(stdout)).toEqual([4001, 6000, "all@example.com", join(sites, "annapolis")]);
});
