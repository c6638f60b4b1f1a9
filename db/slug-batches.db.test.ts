import { sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { expect, it, onTestFinished } from "vitest";
import { openTestDatabase } from "../tests/support/database.ts";
import { readSlugBatches } from "./slug-batches.ts";

const rows = pgTable("slug_batch_rows", {
  id: integer().primaryKey(),
  slug: text().unique(),
  at: timestamp({ withTimezone: true }).notNull(),
  state: text().notNull(),
});

it("slugs are read completely in batches, in one order, without rows that do not match", async () => {
  const database = await openTestDatabase("postgres");
  onTestFinished(database.close);
  await database.executeSql(
    `create table slug_batch_rows (id int primary key, slug text unique, at timestamptz not null, state text not null);
     insert into slug_batch_rows
       select n, case when n = 7 then null else 'story-' || (n * 37 % 101) end,
         timestamptz '2026-11-15T12:00:00.9Z' + n * interval '1 hour',
         case when n % 3 = 0 or n between 20 and 40 then 'rejected' else 'approved' end
       from generate_series(1, 100) n`,
  );
  const read = async (batchSize: number) => {
    const batches = readSlugBatches(database.db, {
      table: rows,
      slug: rows.slug,
      instant: sql`${rows.at}`,
      condition: sql`${rows.state} = 'approved'`,
      batchSize,
    });
    const found = [];
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(batchSize);
      found.push(...batch);
    }
    return found;
  };
  const all = await read(1_000);
  expect(all).toHaveLength(52);
  const first = all.find(({ slug }) => slug === "story-37");
  expect(first?.instant).toEqual(new Date("2026-11-15T13:00:00Z"));
  for (const batchSize of [1, 7, 10, 99]) expect(await read(batchSize)).toEqual(all);
});
