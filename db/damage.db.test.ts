import { randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDataFolder } from "../tests/support/data-folder.ts";
import { openDatabase } from "./client.ts";
import { findDamage } from "./damage.ts";

const pageBytes = 8_192;
const noTimeLimit = Number.POSITIVE_INFINITY;
function overwrite(file: string, bytes: Buffer): void {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, statSync(file).size / 2);
  closeSync(handle);
}
const corruptions: [table: string, relation: string, damage: (file: string) => void][] = [
  ["zeroed", "zeroed", (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
  ["emptied", "emptied", (file) => truncateSync(file, 0)],
  ["cut", "cut", (file) => truncateSync(file, 2 * pageBytes)],
  ["garbled", "garbled", (file) => writeFileSync(file, Buffer.alloc(statSync(file).size, 0xab))],
  ["missing", "missing", (file) => rmSync(file)],
  ["indexed", "indexed_pkey", (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
  ["searched", "searched_words", (file) => overwrite(file, randomBytes(3_000))],
  ["long", "long's values", (file) => truncateSync(file, pageBytes)],
  // An index of Postgres itself, which nothing reads when the database is opened.
  ["pg_description", "pg_description_o_c_o_index", (file) => overwrite(file, randomBytes(3_000))],
];

it("the damage check finds every table of the built-in database whose file is damaged", async () => {
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  const open = () => openDatabase({ dataDir: folder.path, onError: console.error });
  const first = await open();
  const files = new Map<string, string>();
  for (const [table, relation] of corruptions) {
    if (!table.startsWith("pg_")) {
      await first.executeSql(`create table ${table} (id int primary key, body text)`);
      await first.executeSql(
        table === "long"
          ? `alter table long alter body set storage external; insert into long select n, repeat('x', 9000) from generate_series(1, 9) n`
          : `insert into ${table} select n, repeat('x', 1000) from generate_series(1, 50) n`,
      );
    }
    if (table === "searched")
      await first.executeSql(
        "create index searched_words on searched using gin (to_tsvector('simple', id::text))",
      );
    const relationId =
      relation === "long's values"
        ? "(select reltoastrelid from pg_class where relname = 'long')"
        : `'${relation}'`;
    const { rows } = await first.executeSql(`select pg_relation_filepath(${relationId}) as path`);
    files.set(table, (rows as { path: string }[])[0]?.path ?? "");
  }
  // A table whose rows were all deleted is not damaged, even if its file is empty.
  await first.executeSql("create table deleted (id int primary key)");
  await first.executeSql("insert into deleted select generate_series(1, 1000)");
  await first.executeSql("delete from deleted");
  await first.executeSql("vacuum deleted");
  expect(await findDamage(first.db, noTimeLimit)).toEqual({
    damaged: [],
    readCount: expect.any(Number),
    unreadCount: 0,
  });
  expect(await findDamage(first.db, 0)).toMatchObject({
    readCount: 0,
    unreadCount: expect.any(Number),
  });
  await first.close();

  for (const [table, , damage] of corruptions)
    damage(join(folder.path, "database", files.get(table) ?? expect.unreachable()));
  const second = await open();
  const { damaged, readCount: read } = await findDamage(second.db, noTimeLimit);
  expect(damaged.map(({ table }) => table).toSorted()).toEqual(
    corruptions.map(([table]) => table).toSorted(),
  );
  // Undamaged tables were read, and the extensions that the check uses are gone.
  expect(read).toBeGreaterThan(20);
  const { rows } = await second.executeSql(
    "select extname from pg_extension where extname = 'amcheck'",
  );
  expect(rows).toEqual([]);
  await second.close();
});
