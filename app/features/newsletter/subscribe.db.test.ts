import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/client.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { subscribers } from "./schema.server.ts";
import { forgetUnconfirmed, keepAddress, newsletterForm } from "./subscribe.server.ts";

const at = (instant: string) => () => new Date(instant);
const now = at("2026-11-15T12:00:00Z");
const { schema } = newsletterForm;

describe("the address of a subscriber", () => {
  it.each([
    "",
    "   ",
    "reader",
    "reader@",
    "two words@example.com",
    `${"x".repeat(250)}@example.com`,
    "a\0@example.com",
  ])("is not %j", (email) => {
    expect(schema.safeParse({ email }).success).toBe(false);
  });

  it("is whatever the browser's own check lets through, in small letters", () => {
    for (const email of ["reader@localhost", "o'neil+news@sub.example.co", " Reader@Example.com "])
      expect(schema.parse({ email })).toEqual({ email: email.trim().toLowerCase() });
  });
});

describe.each(databaseKinds)("the newsletter on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  beforeEach(() => database.db.delete(subscribers));
  afterAll(() => database.close());
  const stored = () => database.db.select().from(subscribers);

  it("keeps an address as pending, once however often it is sent", async () => {
    await keepAddress(database.db, now, "reader@example.com");
    await keepAddress(database.db, at("2026-11-16T12:00:00Z"), "reader@example.com");
    expect(await stored()).toEqual([{ email: "reader@example.com", state: "pending", createdAt: now() }]);
  });

  it("forgets an address that was not confirmed within 30 days", async () => {
    await keepAddress(database.db, at("2026-10-16T11:59:00Z"), "old@example.com");
    await keepAddress(database.db, at("2026-10-16T12:01:00Z"), "kept@example.com");
    expect(await forgetUnconfirmed(database.db, now)).toBe(1);
    expect((await stored()).map(({ email }) => email)).toEqual(["kept@example.com"]);
  });
});
