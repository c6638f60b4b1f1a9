import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDays } from "../../../app/lib/dates.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { removeOlder } from "./daily-backup.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const today = "2026-11-15";
const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const nameOf = (day: string) => `harborline-testville-${day.replaceAll("-", "")}-120000.tar.gz`;

/** A folder with one backup per day, up to the last day. */
async function backupsUntil(lastDay: string, count: number): Promise<string> {
  const path = join(folder.path, `${lastDay}-${count}`);
  await mkdir(path);
  for (let age = 0; age < count; age += 1) {
    const day = addDays(lastDay, -age);
    await writeFile(join(path, nameOf(day)), "");
    await utimes(join(path, nameOf(day)), noon(day), noon(day));
  }
  return path;
}

it("deletes backups after 30 days", async () => {
  const path = await backupsUntil(today, 32);
  const { removed } = await removeOlder(path, "testville", noon(today), 30);
  expect(removed).toEqual([nameOf(addDays(today, -31))]);
  expect(await readdir(path)).toHaveLength(31);
});

it("deletes two backups per day, and never the newest three, if the clock jumps two years ahead", async () => {
  const path = await backupsUntil(today, 30);
  const later = noon(addDays(today, 731));
  expect((await removeOlder(path, "testville", later, 30)).removed).toEqual([
    nameOf(addDays(today, -29)),
    nameOf(addDays(today, -28)),
  ]);
  for (let day = 0; day < 30; day += 1) await removeOlder(path, "testville", later, 30);
  expect(await readdir(path)).toEqual([
    nameOf(addDays(today, -2)),
    nameOf(addDays(today, -1)),
    nameOf(today),
  ]);
});

it("reports backups with a date in the future, and does not delete them", async () => {
  const path = await backupsUntil("2028-11-15", 5);
  const { removed, misdated } = await removeOlder(path, "testville", noon(today), 30);
  expect(removed).toEqual([]);
  expect(misdated).toHaveLength(5);
});
