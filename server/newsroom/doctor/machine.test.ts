import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bareHost } from "../../../tests/support/command-host.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { lastBackupFile } from "../backup/backup-command.ts";
import { checkBackups, checkOfflineCopies, describeStartSettings } from "./machine.ts";

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
    async (state, isDaily, hours) => {
      const context = createContext({ dataDir: folder.path });
      const file = join(folder.path, "backup.tar.gz");
      await writeFile(file, "");
      const at = new Date(Date.now() - hours * hourMs);
      await writeFile(lastBackupFile(context), JSON.stringify({ file, at, bytes: 0 }));
      expect(await checkBackups(context, null, isDaily)).toMatchObject({
        state,
        message: expect.stringContaining(file),
      });
    },
  );
});

it("doctor says which settings a start would choose, and for how much memory", () => {
  expect(describeStartSettings({ isServing: false })).toMatchObject({
    message: expect.stringMatching(/^(small|fast): [\d.,]+ [MG]B of memory are available/),
  });
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
