import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/client.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../lib/log.ts";
import { subscribers } from "./schema.server.ts";
import { forgetUnconfirmed, signUp } from "./subscribe.server.ts";

const at = (instant: string) => () => new Date(instant);
const log = createLog({ write: () => {} });
const now = at("2026-11-15T12:00:00Z");

describe.each(databaseKinds)("the newsletter on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  beforeEach(() => database.db.delete(subscribers));
  afterAll(() => database.close());
  const stored = () => database.db.select().from(subscribers);

  it("keeps an address as pending", async () => {
    const answer = await signUp(database.db, now, log, " Reader@Example.com ");
    expect(answer).toEqual({ kind: "pending", email: "reader@example.com" });
    expect(await stored()).toEqual([{ email: "reader@example.com", state: "pending", createdAt: now() }]);
  });

  it("answers a known address like a new one, and keeps it once", async () => {
    const first = await signUp(database.db, now, log, "reader@example.com");
    const second = await signUp(database.db, now, log, "READER@example.com");
    expect(second).toEqual(first);
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    "",
    "   ",
    "reader",
    "reader@",
    "two words@example.com",
    `${"x".repeat(250)}@example.com`,
    "a\0@example.com",
  ])("refuses %j, gives it back and stores nothing", async (typed) => {
    const answer = await signUp(database.db, now, log, typed);
    expect(answer).toMatchObject({ kind: "refused", email: typed.trim() });
    expect(await stored()).toEqual([]);
  });

  it("takes whatever the browser's own check lets through", async () => {
    for (const typed of ["reader@localhost", "o'neil+news@sub.example.co"]) {
      expect(await signUp(database.db, now, log, typed)).toMatchObject({ kind: "pending" });
    }
  });

  it("gives the address back when it could not be kept", async () => {
    const closed = await testDatabase(kind);
    await closed.close();
    const answer = await signUp(closed.db, now, log, "Reader@example.com");
    expect(answer).toMatchObject({ kind: "failed", email: "Reader@example.com" });
  });

  it("forgets an address that was not confirmed within 30 days", async () => {
    await signUp(database.db, at("2026-10-16T11:59:00Z"), log, "old@example.com");
    await signUp(database.db, at("2026-10-16T12:01:00Z"), log, "kept@example.com");
    expect(await forgetUnconfirmed(database.db, now)).toBe(1);
    expect((await stored()).map(({ email }) => email)).toEqual(["kept@example.com"]);
  });
});
