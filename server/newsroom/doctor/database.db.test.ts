import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { openDatabase } from "../../../db/client.ts";
import { createDataFolder } from "../../../tests/support/data-folder.ts";
import { checkJobs, checkTables } from "./database.ts";

const noTimeLimit = Number.POSITIVE_INFINITY;
const paths = z.tuple([z.object({ path: z.string() })]);

it("the doctor names a damaged table, even if its index is intact", async () => {
  const { path: dataDir, remove } = await createDataFolder();
  onTestFinished(remove);
  const open = () => openDatabase({ dataDir, onError: console.error });
  const check = ({ db }: Awaited<ReturnType<typeof open>>) =>
    checkTables({ dataDir, databaseUrl: undefined }, db, noTimeLimit);
  const first = await open();
  await first.executeSql("create table garbled (id int primary key, body text)");
  await first.executeSql(
    "insert into garbled select n, repeat('x', 1000) from generate_series(1, 500) n",
  );
  // After this, rows can be counted in the index alone.
  await first.executeSql("vacuum analyze garbled");
  const [{ path }] = paths.parse(
    (await first.executeSql("select pg_relation_filepath('garbled') as path")).rows,
  );
  expect((await check(first))?.message).toMatch(/^all \d+ are readable$/);
  await first.close();

  await writeFile(join(dataDir, "database", path), Buffer.alloc(500_000, 0xab), { flag: "r+" });
  const second = await open();
  onTestFinished(second.close);
  expect((await check(second))?.message).toBe("The files of this table are damaged: garbled.");
});

it("the doctor does not complain about jobs that could not run while there was no server", async () => {
  const { path: dataDir, remove } = await createDataFolder();
  onTestFinished(remove);
  const { db, executeSql, close } = await openDatabase({ dataDir, onError: console.error });
  onTestFinished(close);
  await executeSql("update pgboss.job set completed_on = now() - interval '1 hour'");
  const uptime = vi.spyOn(process, "uptime");
  onTestFinished(() => uptime.mockRestore());
  const check = (uptimeMinutes: number) => {
    uptime.mockReturnValue(uptimeMinutes * 60);
    return checkJobs({ isServing: true }, db);
  };
  expect(await check(2)).toMatchObject({
    state: "good",
    message: "the last one finished 60 minutes ago",
  });
  expect(await check(20)).toMatchObject({ message: "No job has finished for 20 minutes." });
});
