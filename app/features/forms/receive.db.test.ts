import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { OpenDatabase } from "../../../db/database.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../lib/log.ts";
import { countForm, deleteOldVisitors } from "./rate-limit.server.ts";
import { createToken, emailField, receiveForm, requiredText } from "./receive.server.ts";
import { formCounts } from "./schema.server.ts";

describe.each(databaseKinds)("a form on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-15T12:00:00Z");
  const clock = () => now;
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const schema = z.object({
    words: requiredText("Please write something.", 20),
    email: emailField,
  });
  const rule = { name: "test", schema, perHour: 3, hasToken: true };
  const good = { words: " Hello ", email: "Me@Example.com" };

  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  afterAll(() => database.close());

  async function send(
    fields: Record<string, string>,
    { address = "1.1.1.1", waitMs = 5_000 } = {},
  ) {
    const token = fields.token ?? (await createToken({ db: database.db, clock }));
    now = new Date(now.getTime() + waitMs);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, token })) form.set(name, value);
    const kept: { words: string; key: string }[] = [];
    const answer = await receiveForm(
      rule,
      form,
      { db: database.db, clock, log, ipAddress: address },
      async ({ words }, key) => {
        kept.push({ words, key });
      },
    );
    return { answer, kept };
  }

  it("that is right is kept, as it was meant", async () => {
    const { answer, kept } = await send(good);
    expect(answer).toEqual({ kind: "stored", values: { words: "Hello", email: "me@example.com" } });
    expect(kept).toHaveLength(1);
  });

  it("that is wrong comes back with everything typed and a message for each field", async () => {
    const { answer, kept } = await send({ words: "  ", email: "nowhere" });
    expect(answer).toEqual({
      kind: "refused",
      status: 422,
      summary: "2 fields need another look.",
      errors: {
        words: "Please write something.",
        email: "Please enter a complete e-mail address, such as name@example.com.",
      },
      typed: { words: "  ", email: "nowhere" },
    });
    expect(kept).toEqual([]);
  });

  it("sent twice has the same key both times", async () => {
    const token = await createToken({ db: database.db, clock });
    const [one, other] = [
      await send({ ...good, token }, { address: "2.2.2.2" }),
      await send({ ...good, token }, { address: "2.2.2.2", waitMs: 1 }),
    ];
    expect(one.kept[0]?.key).toBe(other.kept[0]?.key);
    // The first may have arrived although its sender could not know it, so what was added counts as
    // another form.
    const corrected = await send(
      { ...good, words: "corrected", token },
      { address: "2.2.2.2", waitMs: 1 },
    );
    expect(corrected.kept[0]?.key).not.toBe(one.kept[0]?.key);
  });

  it.each([
    ["a program has filled in the trap", { ...good, website: "x" }, {}, "people cannot see"],
    ["it comes too fast", good, { waitMs: 500 }, "That was quick"],
    ["it comes the next day", good, { waitMs: 24 * 3_600_000 }, "open for a long time"],
    ["its token is made up", { ...good, token: "a.b.c" }, {}, "whether this form is ours"],
  ])("is not kept when %s, and nothing typed is lost", async (_, fields, options, sentence) => {
    const { answer, kept } = await send(fields, { address: "3.3.3.3", ...options });
    expect(answer).toMatchObject({
      kind: "refused",
      typed: { words: good.words, email: good.email },
    });
    expect(answer.kind === "refused" && answer.summary).toContain(sentence);
    expect(kept).toEqual([]);
  });

  it("is taken three times an hour from one visitor, and goes on for the others", async () => {
    const kinds: string[] = [];
    for (let turn = 0; turn < 4; turn += 1)
      kinds.push((await send(good, { address: "4.4.4.4", waitMs: 2_000 })).answer.kind);
    expect(kinds).toEqual(["stored", "stored", "stored", "refused"]);
    expect((await send(good, { address: "5.5.5.5" })).answer.kind).toBe("stored");
    now = new Date(now.getTime() + 3_600_000);
    expect((await send(good, { address: "4.4.4.4" })).answer.kind).toBe("stored");
  });

  it("counts the addresses of one IPv6 network as one visitor", async () => {
    const kinds: string[] = [];
    for (let turn = 0; turn < 4; turn += 1)
      kinds.push(
        (await send(good, { address: `2001:db8:0:1::${turn}`, waitMs: 2_000 })).answer.kind,
      );
    expect(kinds).toEqual(["stored", "stored", "stored", "refused"]);
    expect((await send(good, { address: "2001:db8:0:2::1" })).answer.kind).toBe("stored");
  });

  it("that is refused to one visitor does not close the form for everybody", async () => {
    now = new Date(now.getTime() + 3_600_000);
    const limited = { ...rule, name: "limited", perHour: 2, totalPerHour: 3 };
    const sendLimited = async (address: string, keep = async () => {}) => {
      const form = new FormData();
      const token = await createToken({ db: database.db, clock });
      now = new Date(now.getTime() + 5_000);
      for (const [name, value] of Object.entries({ ...good, token })) form.set(name, value);
      const answer = await receiveForm(
        limited,
        form,
        { db: database.db, clock, log, ipAddress: address },
        keep,
      );
      return answer.kind === "stored" ? "stored" : answer.status;
    };
    const broken = () => Promise.reject(new Error("the disk is full"));
    expect(await sendLimited("6.0.0.1", broken)).toBe(503);
    const flood: (string | number)[] = [];
    for (let turn = 0; turn < 6; turn += 1) flood.push(await sendLimited("6.0.0.2"));
    expect(flood).toEqual(["stored", "stored", 429, 429, 429, 429]);
    expect([await sendLimited("6.0.0.3"), await sendLimited("6.0.0.4")]).toEqual(["stored", 429]);
  });

  it("leaves no address behind, and after two days not even a hash", async () => {
    await countForm(database.db, clock, { form: "test", subject: "9.9.9.9" });
    const { rows } = await database.executeSql("select * from form_counts");
    expect(JSON.stringify(rows)).not.toContain("9.9.9.9");
    now = new Date(now.getTime() + 2 * 24 * 3_600_000);
    await deleteOldVisitors(database.db, clock);
    expect(await database.db.select().from(formCounts)).toEqual([]);
    const salts = await database.executeSql(
      "select name from secrets where name like 'visitors:%'",
    );
    expect(salts.rows).toEqual([]);
    expect((await database.executeSql("select name from secrets")).rows).toEqual([
      { name: "forms" },
    ]);
  });

  it("is given back when it could not be kept", async () => {
    const closed = await testDatabase(kind);
    const form = new FormData();
    for (const [name, value] of Object.entries({
      ...good,
      token: await createToken({ db: closed.db, clock }),
    }))
      form.set(name, value);
    await closed.close();
    now = new Date(now.getTime() + 3_000);
    const answer = await receiveForm(
      rule,
      form,
      { db: closed.db, clock, log, ipAddress: "" },
      async () => {},
    );
    expect(answer).toMatchObject({ kind: "refused", status: 503, typed: good });
    expect(lines.join("")).toContain('"event":"form.not_kept"');
  });
});
