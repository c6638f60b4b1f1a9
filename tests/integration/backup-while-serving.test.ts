import { cp, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readRows } from "../../server/newsroom/backup/backup.ts";
import { connectToHolder, sendCommand } from "../../server/process/command-socket.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";

const now = new Date("2026-11-15T06:00:00Z");
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe("a running server", () => {
  let data: Awaited<ReturnType<typeof createDataFolder>>;
  let server: RunningServer;
  beforeAll(async () => {
    data = await createDataFolder();
    const sites = join(folder.path, "sites");
    // Leave out videos and music, because copying them takes longer than everything else.
    const filter = (path: string) => !/\.(mp3|mp4)$/.test(path);
    await cp("sites/baltimore", join(sites, "testville"), { recursive: true, filter });
    for (const name of await readdir("sites/baltimore/film"))
      await writeFile(join(sites, "testville/film", name), "");
    server = await startServer({ DATA_DIR: data.path, SITES_DIR: sites, TRUST_PROXY: "1" });
  });
  afterAll(async () => {
    await server?.stop();
    await data.remove();
  });

  const newsroom = (...args: string[]) => runInServer(data.path, args, { cwd: folder.path });

  async function readSubscribers(file: string): Promise<string[]> {
    const emails: string[] = [];
    for await (const { table, lines } of readRows(file))
      if (table === "newsletter_subscribers")
        emails.push(...lines.map((line) => String(JSON.parse(line)[0])));
    return emails;
  }

  it("backs up a consistent state while readers sign up, and restores it with --replace", async () => {
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
     * Signs readers up until the work is done. Returns the result of the work and the email
     * addresses that the site accepted.
     */
    const whileReadersSignUp = async <T>(name: string, work: () => Promise<T>) => {
      let isOver = false;
      const confirmed: string[] = [];
      const signingUp = (async () => {
        for (let count = 0; !isOver; count += 1) {
          const email = `${name}${count}@example.com`;
          if ((await signUp(email)) === 200) confirmed.push(email);
          // Without a pause the backup's process would get no processor time on a busy machine.
          await pause(200);
        }
      })();
      const result = await work().finally(() => {
        isOver = true;
      });
      await signingUp;
      return { result, confirmed };
    };
    expect(await signUp("first@example.com")).toBe(200);
    const { result: backup, confirmed } = await whileReadersSignUp("r", () =>
      newsroom("backup", "now.tar.gz", "--json"),
    );
    expect(confirmed.length).toBeGreaterThan(0);
    expect(await signUp("last@example.com")).toBe(200);
    expect(backup).toMatchObject({ code: 0 });
    const file = join(folder.path, "now.tar.gz");
    expect(JSON.parse(backup.output)).toMatchObject({ file });
    expect(await newsroom("backup", "now.tar.gz")).toMatchObject({
      code: 1,
      output: expect.stringContaining("already exists"),
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
    // Every accepted email address is in the backup that was made before the restore, or on the
    // current list.
    const subscriberList = JSON.parse(
      (await newsroom("subscribers", "list", "--all", "--json")).output,
    );
    const currentEmails = z
      .array(z.object({ email: z.string() }))
      .parse(subscriberList)
      .map(({ email }) => email);
    const savedEmails = new Set([...(await readSubscribers(before)), ...currentEmails]);
    expect(restored.confirmed.filter((email) => !savedEmails.has(email))).toEqual([]);
    // Sign-ups after the backup are gone, sign-ups before the backup are restored, and the site
    // works.
    const backupEmails = await readSubscribers(file);
    expect(backupEmails).toContain("first@example.com");
    expect(backupEmails).not.toContain("last@example.com");
    const dryRun = JSON.parse(
      (await newsroom("restore", "now.tar.gz", "--replace", "--dry-run", "--json")).output,
    );
    const emailsSinceRestore = currentEmails.filter((email) => !backupEmails.includes(email));
    expect(currentEmails.toSorted()).toEqual([...backupEmails, ...emailsSinceRestore].toSorted());
    expect(restored.confirmed).toEqual(expect.arrayContaining(emailsSinceRestore));
    expect(dryRun.replaced).toContainEqual({
      table: "newsletter_subscribers",
      rows: currentEmails.length,
    });
    expect(await signUp("after@example.com")).toBe(200);
  });

  it("names a file or folder with which a backup or a restore does not work", async () => {
    expect((await newsroom("restore", "nothing.tar.gz")).output).toContain("There is no backup");
    expect((await newsroom("backup", "now.tar.gz/x")).output).toContain(
      "now.tar.gz is not a folder.",
    );
    expect((await newsroom("restore", "/")).output).toContain("/ is a folder");
    expect((await newsroom("restore", "now.tar.gz", "--site", "now.tar.gz/x")).output).toContain(
      "a part of its path is a file, not a folder",
    );
  });

  it("removes the unfinished file of a backup that a stop interrupts, and older ones too", async () => {
    const backups = join(data.path, "backups");
    const unfinishedFile = join(backups, "harborline-testville-20200101-000000.tar.gz.unfinished");
    await writeFile(unfinishedFile, "");
    await utimes(unfinishedFile, now, new Date("2020-01-01"));
    const backupsBefore = (await readdir(backups)).filter((name) => name.endsWith(".tar.gz"));
    const holder = (await connectToHolder(data.path)) ?? expect.unreachable();
    const lines: string[] = [];
    let stopped: Promise<number | null> | undefined;
    const progress = () => {
      stopped ??= server.stop();
    };
    expect(
      await sendCommand(holder, ["backup"], { print: (line) => lines.push(line), progress }),
    ).toBe(1);
    expect(lines).toEqual([
      "The server stopped before the command finished. Run the command again.",
    ]);
    expect(await stopped).toBe(0);
    await expect.poll(() => readdir(backups)).toEqual(backupsBefore);
  });
});
