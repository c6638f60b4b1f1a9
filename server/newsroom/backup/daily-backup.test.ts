import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDays } from "../../../app/lib/dates.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { deleteOldBackups } from "./daily-backup.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const today = "2026-11-15";
const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const toFileName = (day: string) => `harborline-testville-${day.replaceAll("-", "")}-120000.tar.gz`;

/** Creates a folder with one backup per day, up to the last day. */
async function createBackups(lastDay: string, count: number): Promise<string> {
  const path = join(folder.path, `${lastDay}-${count}`);
  await mkdir(path);
  for (let age = 0; age < count; age += 1)
    await writeFile(join(path, toFileName(addDays(lastDay, -age))), "");
  return path;
}

const deleteOld = (path: string, now: Date) =>
  deleteOldBackups(path, "testville", now, 30, (error) => {
    throw error;
  });

it("the daily backup deletes backups after 30 days", async () => {
  const path = await createBackups(today, 32);
  expect(await deleteOld(path, noon(today))).toEqual([toFileName(addDays(today, -31))]);
  expect(await readdir(path)).toHaveLength(31);
});

it("the daily backup deletes old backups that were made before a restore, but no other file", async () => {
  const path = await createBackups(today, 3);
  const others = ["harborline-annapolis-20200101-000000.tar.gz", "before-launch.tar.gz"];
  const beforeRestore = "before-restore-testville-20200101-000000.tar.gz";
  for (const name of [...others, beforeRestore]) await writeFile(join(path, name), "");
  expect(await deleteOld(path, noon(today))).toEqual([beforeRestore]);
});

it("the daily backup deletes two backups per day, and never the newest three, if the clock jumps two years ahead", async () => {
  const path = await createBackups(today, 30);
  const later = noon(addDays(today, 731));
  expect(await deleteOld(path, later)).toEqual([
    toFileName(addDays(today, -29)),
    toFileName(addDays(today, -28)),
  ]);
  for (let day = 0; day < 30; day += 1) await deleteOld(path, later);
  expect(await readdir(path)).toEqual([
    toFileName(addDays(today, -2)),
    toFileName(addDays(today, -1)),
    toFileName(today),
  ]);
});
