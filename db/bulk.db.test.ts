import { sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";
import { openTestDatabase } from "../tests/support/database.ts";
import { insertRows, overwrite, updateRows } from "./bulk.ts";

it("rows reach the columns whose names are not those of the fields", async () => {
  const { db, close } = await openTestDatabase();
  const notes = pgTable("notes", { number: integer("id").primaryKey(), text: text("body") });
  await db.execute(sql`create temporary table notes (id integer primary key, body text)`);
  await insertRows(db, notes, [{ number: 1, text: "First" }]);
  expect(await db.select().from(notes)).toEqual([{ number: 1, text: "First" }]);
  await updateRows(db, notes, ["number"], [{ number: 1, text: "Second" }]);
  expect(await db.select().from(notes)).toEqual([{ number: 1, text: "Second" }]);
  await db
    .insert(notes)
    .values({ number: 1, text: "Third" })
    .onConflictDoUpdate({ target: notes.number, set: overwrite({ text: notes.text }) });
  expect(await db.select().from(notes)).toEqual([{ number: 1, text: "Third" }]);
  await db.execute(sql`drop table notes`);
  await close();
});
