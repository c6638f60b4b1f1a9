import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../tests/support/database.ts";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import { blogFolder } from "../blog/files.server.ts";
import { addFileCorrection, changeFileNote, followRenames, readFileNotes } from "./notes.server.ts";

describe.each(databaseKinds)("what editors decided about a file, on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());

  it("stays with the file when it is renamed and redirects.yaml says so", async () => {
    const { db } = database;
    const redirects: Record<string, string> = {};
    const names: string[] = ["crab"];
    const site = {
      ...wholeCity,
      read: () => redirects as never,
      readAll: () => [],
      names: () => names,
    };
    const follow = async () => {
      await followRenames("post", blogFolder)({ site, db });
      return readFileNotes(db, "post");
    };
    const correction = { date: "2026-11-15", text: "It was a blue crab." };
    await addFileCorrection(db, "post", "crab", correction);
    await changeFileNote(db, "post", "crab", { isDown: true });
    redirects["/blog/crab"] = "/blog/blue-crab";
    expect([...(await follow()).keys()]).toEqual(["crab"]);
    names[0] = "blue-crab";
    const moved = await follow();
    expect(moved.get("crab")).toBeUndefined();
    expect(moved.get("blue-crab")).toMatchObject({ isDown: true, corrections: [correction] });
    await changeFileNote(db, "post", "oyster", { isDown: true });
    redirects["/blog/oyster"] = "/blog/blue-crab";
    expect((await follow()).get("blue-crab")).toMatchObject({ corrections: [correction] });
  });
});
