import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Nginx, startNginx } from "../support/nginx.ts";
import { createDatabase } from "../support/postgres.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";

const nginxProgram = inject("nginx");
const cities = ["baltimore", "annapolis"] as const;
const toHost = (city: string) => `${city}.harborline.example`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sites: string;
const servers = new Map<string, RunningServer>();
const databases = new Map<string, string>();

const settingsOf = (city: string) => ({
  SITES_DIR: sites,
  SITE: city,
  DATA_DIR: join(folder.path, "data", city),
  DATABASE_URL: databases.get(city) ?? "",
  TRUST_PROXY: "1",
});

// As docs/operations.md says: one checkout, one Postgres and one nginx for two cities.
beforeAll(async () => {
  folder = await temporaryFolder();
  sites = join(folder.path, "sites");
  for (const city of cities) cpSync("sites/baltimore", join(sites, city), { recursive: true });
  cpSync("sites/network.yaml", join(sites, "network.yaml"));
  const settings = join(sites, "annapolis/site.yaml");
  const source = await readFile(settings, "utf8");
  await writeFile(
    settings,
    source
      .replace("name: Harborline Baltimore", "name: Harborline Annapolis")
      .replace("//baltimore.harborline.example", `//${toHost("annapolis")}`)
      .replace("cities: [annapolis, norfolk, wilmington]", "cities: [baltimore]"),
  );
  for (const city of cities) {
    databases.set(city, await createDatabase(inject("postgresUrl"), inject("postgresTemplate")));
    servers.set(city, await startServer(settingsOf(city)));
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
  await folder.remove();
});

const getUrl = (city: string) => servers.get(city)?.url ?? "";
const readTitle = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];

/** Runs the program as an operator does, who chooses the city only with --city. */
const runNewsroom = (city: string, ...args: string[]) =>
  promisify(execFile)("./newsroom", ["--city", city, ...args], {
    env: { ...process.env, ...settingsOf(city), SITE: "baltimore" },
  });

describe("two cities on one machine", () => {
  it("each show the other only as their own settings say, and let its pages read the blog", async () => {
    const partners = async (city: string) =>
      [
        ...(await (await fetch(`${getUrl(city)}/about`)).text()).matchAll(
          /https:\/\/(\w+)\.harborline\.example" class="footer-link/g,
        ),
      ].map(([, name]) => name);
    const getAllowed = async (city: string, from: string) =>
      (
        await fetch(`${getUrl(city)}/functions/v1/get_metainfo`, {
          headers: { Origin: `https://${toHost(from)}` },
        })
      ).headers.get("access-control-allow-origin");
    expect((await partners("baltimore")).toSorted()).toEqual([
      "annapolis",
      "norfolk",
      "wilmington",
    ]);
    expect(await partners("annapolis")).toEqual(["baltimore"]);
    expect(await getAllowed("annapolis", "baltimore")).toBe("https://baltimore.harborline.example");
    expect(await getAllowed("annapolis", "norfolk")).toBeNull();
  });

  it("have their own data, and a command changes only its city", async () => {
    const alert = "Water is off on Main Street";
    await runNewsroom("annapolis", "alert", alert, "--until", "23:59");
    await expect.poll(async () => (await fetch(getUrl("annapolis"))).text()).toContain(alert);
    expect(await (await fetch(getUrl("baltimore"))).text()).not.toContain(alert);
  });

  it("refuse the data folder of the other", async () => {
    const env = { ...settingsOf("baltimore"), SITE: "annapolis" };
    await expect(startServer(env)).rejects.toThrow(
      'contains the data of the city "baltimore", not of "annapolis". Set DATA_DIR to another folder.',
    );
  });

  it("refuse the backup of the other, except as one of the same city under its old name", async () => {
    const backup = join(folder.path, "annapolis.tar.gz");
    await runNewsroom("annapolis", "backup", backup);
    const restore = (...options: string[]) =>
      runNewsroom("baltimore", "restore", backup, "--replace", ...options);
    await expect(restore()).rejects.toMatchObject({
      stdout: expect.stringContaining(
        '✗ Nothing was changed: this is a backup of the city "annapolis", not of "baltimore".',
      ),
    });
    expect((await restore("--renamed", "--dry-run")).stdout).toContain("Dry run");
  });

  describe.skipIf(!nginxProgram)("behind one nginx", () => {
    let nginx: Nginx;
    beforeAll(async () => {
      const url = getUrl("baltimore");
      nginx = await startNginx(nginxProgram ?? "", [url, url], {
        otherCities: { annapolis: getUrl("annapolis") },
      });
    });
    afterAll(() => nginx?.stop());

    it("have their own host names, and copies of pages in the cache", async () => {
      const read = async (city: string) => {
        const host = toHost(city);
        const { body } = await nginx.request("/about", { servername: host, headers: { host } });
        return readTitle(body);
      };
      for (const _ of [1, 2]) {
        expect(await read("baltimore")).toContain("Harborline Baltimore");
        expect(await read("annapolis")).toContain("Harborline Annapolis");
      }
    });

    it("stay available while the other is down", async () => {
      await servers.get("annapolis")?.stop();
      const host = toHost("annapolis");
      expect((await nginx.request("/status")).status).toBe(200);
      const { status } = await nginx.request("/faq", { servername: host, headers: { host } });
      expect(status).toBe(502);
    });
  });
});
