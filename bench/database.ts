import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { fromPglite, openDatabase } from "../db/client.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createPglite, durableStartParams } from "../db/pglite/open.ts";
import { inThisThread } from "../tests/support/in-this-thread.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { median } from "./support/statistics.ts";

/**
 * Compares the built-in database in a separate thread to the same database in this thread, to see
 * what the messages between the threads cost.
 */

const rounds = 300;
const megabyte = randomBytes(1024 * 1024);

const operations: Record<
  string,
  { times: number; run(database: OpenDatabase, turn: number): Promise<unknown> }
> = {
  "select of one row": {
    times: rounds,
    run: ({ db }, turn) => db.execute(sql`select id, words from notes where id = ${turn % 100}`),
  },
  "select of 100 rows": {
    times: rounds,
    run: ({ db }) => db.execute(sql`select id, words, made from notes order by id limit 100`),
  },
  "transaction of one insert": {
    times: rounds,
    run: ({ db }, turn) =>
      db.transaction((tx) =>
        tx.execute(sql`insert into notes values (${1_000 + turn}, 'new', now())`),
      ),
  },
  "1 MB of bytes, written": {
    times: 30,
    run: ({ db }) => db.execute(sql`update images set bytes = ${megabyte}`),
  },
  "1 MB of bytes, read": { times: 30, run: ({ db }) => db.execute(sql`select bytes from images`) },
};

const folder = await temporaryFolder();
const sameThread = await fromPglite(
  inThisThread(
    await createPglite({ dataDir: join(folder.path, "here"), startParams: durableStartParams }),
  ),
);
const ownThread = await openDatabase({ dataDir: folder.path, onError: console.error });
for (const database of [sameThread, ownThread])
  await database.executeSql(`create table notes (id int primary key, words text, made timestamptz);
    insert into notes select i, repeat('word ', 40), now() from generate_series(0, 99) i;
    create table images (bytes bytea); insert into images values ('')`);

console.log("median in ms                   this thread   own thread   ratio");
for (const [name, { times: rounds, run }] of Object.entries(operations)) {
  const times = new Map<OpenDatabase, number[]>([
    [sameThread, []],
    [ownThread, []],
  ]);
  // The runs alternate, so that other work on the machine affects both databases equally.
  for (let turn = 0; turn < rounds; turn++)
    for (const [database, durations] of times) {
      const began = performance.now();
      await run(database, turn);
      durations.push(performance.now() - began);
    }
  const [sameThreadMs, ownThreadMs] = [...times.values()].map(median);
  if (sameThreadMs === undefined || ownThreadMs === undefined) continue;
  console.log(
    `${name.padEnd(28)} ${sameThreadMs.toFixed(2).padStart(13)} ${ownThreadMs.toFixed(2).padStart(12)} ${(ownThreadMs / sameThreadMs).toFixed(2).padStart(7)}`,
  );
}

/** Measures how long `run` takes, and how late a 1 ms timer fired at worst in the meantime. */
async function measureDelay(run: () => Promise<unknown>): Promise<{ ms: number; worst: number }> {
  let [lastFiredAt, worst] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - lastFiredAt - 1);
    lastFiredAt = now;
  }, 1);
  const began = performance.now();
  await run();
  // Let a timer that became due in the meantime fire.
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return { ms: performance.now() - began, worst };
}

for (const [name, database] of Object.entries({
  "this thread": sameThread,
  "own thread": ownThread,
})) {
  const { ms, worst } = await measureDelay(() =>
    database.executeSql("select count(*) from generate_series(1, 1000000) i where i % 3 = 1"),
  );
  console.log(
    `a query of ${Math.round(ms)} ms in ${name}: timers in this thread were up to ${Math.round(worst)} ms late`,
  );
}
await sameThread.close();
await ownThread.close();
await folder.remove();
