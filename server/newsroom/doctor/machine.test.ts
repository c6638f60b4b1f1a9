import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bareHost } from "../../../tests/support/command-host.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { backupFileName, backupsFolder, cityName } from "../backup/backup-command.ts";
import { checkBackups, checkOfflineCopies } from "./machine.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const hourMs = 3_600_000;

const createContext = (settings: Partial<typeof bareHost.config>) => ({
  ...bareHost,
  config: { ...bareHost.config, ...settings },
  result() {},
  table() {},
  progress() {},
  readSite: () => Promise.reject(new Error("not needed here")),
});

describe("doctor's finding about backups", () => {
  it.each([
    ["good", true, 24],
    ["bad", true, 26],
    ["warning", false, 26],
  ])(
    "is %s if daily backups are on (%s) and the last one is %i hours old",
    async (state, daily, hours) => {
      const context = {
        ...createContext({ dataDir: folder.path }),
        siteFolder: "sites/testville",
      };
      const at = new Date(Date.now() - hours * hourMs);
      const file = join(backupsFolder(context), backupFileName(cityName(context), at));
      await rm(backupsFolder(context), { recursive: true, force: true });
      await mkdir(backupsFolder(context));
      await writeFile(file, "");
      expect(await checkBackups(context, { daily })).toMatchObject({
        state,
        message: expect.stringContaining(file),
      });
    },
  );
});

describe("doctor's finding about offline copies", () => {
  it.each([
    [true, "good", "readers can store pages"],
    [false, "warning", "cannot read offline"],
  ] as const)("if they are on (%s), is %s", (offlineCopies, state, words) => {
    expect(checkOfflineCopies(createContext({ offlineCopies }))).toMatchObject({
      state,
      message: expect.stringContaining(words),
    });
  });
});
