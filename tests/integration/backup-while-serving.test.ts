import { cp, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readRows } from "../../server/newsroom/backup/backup.ts";
import { findHolder, sendCommand } from "../../server/process/channel.ts";
import { dataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";

const now = new Date("2026-11-15T06:00:00Z");
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe("the newsroom, while the server runs", () => {
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let server: RunningServer;
  beforeAll(async () => {
    data = await dataFolder();
    const sites = join(folder.path, "sites");
    // Without its films and music, which take longer than all the rest.
    const filter = (path: string) => !/\.(mp3|mp4)$/.test(path);
    await cp("sites/baltimore", join(sites, "testville"), { recursive: true, filter });
    for (const name of await readdir("sites/baltimore/film"))
      await writeFile(join(sites, "testville/film", name), "");
    server = await startServer({ DATA_DIR: data.path, SITES_DIR: sites, TRUST_PROXY: "1" });
  });
  afterAll(async () => {
    await server.stop();
    await data.remove();
  });

  const newsroom = (...args: string[]) => runInServer(data.path, args, { cwd: folder.path });

  async function addressesIn(file: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { table, lines } of readRows(file))
      if (table === "newsletter_subscribers")
        found.push(...lines.map((line) => String(JSON.parse(line)[0])));
    return found;
  }

  it("takes a backup as of one moment while readers write, and puts it back with one word", {
    timeout: 120_000,
  }, async () => {
    let visitors = 0;
    const signUp = async (email: string) => {
      visitors += 1;
      const headers = { "x-forwarded-for": `10.0.${visitors >> 8}.${visitors & 255}` };
      const body = new URLSearchParams({ email });
      const response = await fetch(`${server.url}/newsletter`, { method: "POST", headers, body });
      if (response.status !== 200)
        expect(await response.text()).toContain("Nothing you typed is lost");
      return response.status;
    };
    /**
     * Has readers sign up until the work is done; gives the addresses that the site said it has
     * kept.
     */
    const whileReadersSignUp = async <T>(name: string, work: () => Promise<T>) => {
      let isOver = false;
      const kept: string[] = [];
      const writing = (async () => {
        for (let count = 0; !isOver; count += 1) {
          const email = `${name}${count}@example.com`;
          if ((await signUp(email)) === 200) kept.push(email);
          // Readers are not as fast as a loop, which would leave the backup's process no time on a
          // busy machine.
          await pause(50);
        }
      })();
      const result = await work();
      isOver = true;
      await writing;
      return { result, kept };
    };
    expect(await signUp("first@example.com")).toBe(200);
    const { result: made, kept } = await whileReadersSignUp("r", () =>
      newsroom("backup", "now.tar.gz", "--json"),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(await signUp("last@example.com")).toBe(200);
    expect(made).toMatchObject({ code: 0 });
    const file = join(folder.path, "now.tar.gz");
    expect(JSON.parse(made.output)).toMatchObject({ file });
    expect(await newsroom("backup", "now.tar.gz")).toMatchObject({
      code: 1,
      output: expect.stringContaining("already a file"),
    });

    const refused = await newsroom("restore", "now.tar.gz");
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("--replace") });
    expect((await newsroom("restore", "now.tar.gz", "--replace", "--dry-run")).output).toContain(
      "nothing was changed",
    );
    const restored = await whileReadersSignUp("during", () =>
      newsroom("restore", "now.tar.gz", "--replace", "--json"),
    );
    expect(restored.result).toMatchObject({ code: 0 });
    const { before } = z.object({ before: z.string() }).parse(JSON.parse(restored.result.output));
    expect((await newsroom("restore")).output).toContain("before-restore-");
    // Whoever was told that they are on the list is in the backup of what was there, or on the list
    // of now.
    const subscribed = JSON.parse(
      (await newsroom("subscribers", "list", "--all", "--json")).output,
    );
    const present = z
      .array(z.object({ email: z.string() }))
      .parse(subscribed)
      .map(({ email }) => email);
    const saved = new Set([...(await addressesIn(before)), ...present]);
    expect(restored.kept.filter((email) => !saved.has(email))).toEqual([]);
    // What came after the backup is gone, what came before is there, and the site goes on.
    const inFile = await addressesIn(file);
    expect(inFile).toContain("first@example.com");
    expect(inFile).not.toContain("last@example.com");
    const now = JSON.parse(
      (await newsroom("restore", "now.tar.gz", "--replace", "--dry-run", "--json")).output,
    );
    const sinceThen = present.filter((email) => !inFile.includes(email));
    expect(present.toSorted()).toEqual([...inFile, ...sinceThen].toSorted());
    expect(restored.kept).toEqual(expect.arrayContaining(sinceThen));
    expect(now.replaced).toContainEqual({ table: "newsletter_subscribers", rows: present.length });
    expect(await signUp("after@example.com")).toBe(200);
    expect((await newsroom("backup", "/proc/no")).output).toContain("No backup was made");
    expect((await newsroom("restore", "nothing.tar.gz")).output).toContain("There is no file");
    expect((await newsroom("backup", "x".repeat(300))).output).toContain("the name is too long");
    expect((await newsroom("backup", "now.tar.gz/x")).output).toContain(
      "now.tar.gz is not a folder.",
    );
    expect((await newsroom("restore", "/")).output).toContain("/ is a folder");
    expect((await newsroom("restore", "now.tar.gz", "--site", "now.tar.gz/x")).output).toContain(
      "a part of the path is a file, not a folder",
    );
  });

  it("leaves nothing of a backup behind when the server stops during it", async () => {
    const backups = join(data.path, "backups");
    const killed = join(backups, "harborline-testville-20200101-000000.tar.gz.unfinished");
    await writeFile(killed, "");
    await utimes(killed, now, new Date("2020-01-01"));
    const before = (await readdir(backups)).filter((name) => name.endsWith(".tar.gz"));
    const holder = (await findHolder(data.path)) ?? expect.unreachable();
    const lines: string[] = [];
    let stopped: Promise<number | null> | undefined;
    const progress = () => {
      stopped ??= server.stop();
    };
    expect(await sendCommand(holder, ["backup"], (line) => lines.push(line), { progress })).toBe(1);
    expect(lines).toEqual(["The server stopped before the command was done."]);
    expect(await stopped).toBe(0);
    await expect.poll(() => readdir(backups), { timeout: 10_000 }).toEqual(before);
  });
});
