import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { OpenDatabase } from "../../../db/database.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../lib/log.ts";
import { deleteOldHourCounts, increaseHourCount } from "./hour-counts.server.ts";
import {
  createToken,
  emailField,
  formsPerHour,
  receiveForm,
  requiredText,
} from "./receive.server.ts";
import { hourCounts } from "./schema.server.ts";

describe("a form", () => {
  let database: OpenDatabase;
  let now = new Date("2026-11-15T12:00:00Z");
  const clock = () => now;
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const schema = z.object({
    text: requiredText("Please write something.", 20),
    email: emailField,
  });
  const rule = {
    name: "test",
    schema,
    limit: formsPerHour("tests", { visitor: 3, all: 100 }),
    hasToken: true,
  };
  const validFields = { text: " Hello ", email: "Me@Example.com" };

  beforeAll(async () => {
    database = await openTestDatabase();
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
    const stored: { text: string; key: string; visitorHash: string }[] = [];
    const result = await receiveForm(
      rule,
      form,
      { db: database.db, clock, log, ipAddress: address },
      async ({ text }, key, visitorHash) => {
        stored.push({ text, key, visitorHash });
      },
    );
    return { result, stored };
  }

  it("that is valid is stored with normalized values", async () => {
    const { result, stored } = await send(validFields);
    expect(result).toEqual({ kind: "stored", values: { text: "Hello", email: "me@example.com" } });
    expect(stored).toHaveLength(1);
  });

  it("that is invalid is refused with everything typed and a message for each field", async () => {
    const { result, stored } = await send({ text: "  ", email: "me@example" });
    expect(result).toEqual({
      kind: "refused",
      status: 422,
      summary: "2 fields need another look.",
      errors: {
        text: "Please write something.",
        email: "Please enter a complete email address, such as name@example.com.",
      },
      typed: { text: "  ", email: "me@example" },
      token: expect.stringContaining("."),
    });
    expect(stored).toEqual([]);
  });

  it("that is sent twice has the same key both times", async () => {
    const token = await createToken({ db: database.db, clock });
    const [one, other] = [
      await send({ ...validFields, token }, { address: "2.2.2.2" }),
      await send({ ...validFields, token }, { address: "2.2.2.2", waitMs: 1 }),
    ];
    expect(one.stored[0]?.key).toBe(other.stored[0]?.key);
    // The first form may have arrived without the sender knowing it, so a changed form counts as a
    // new form.
    const corrected = await send(
      { ...validFields, text: "corrected", token },
      { address: "2.2.2.2", waitMs: 1 },
    );
    expect(corrected.stored[0]?.key).not.toBe(one.stored[0]?.key);
  });

  it.each([
    ["the hidden field is filled in", { ...validFields, website: "x" }, {}, "A hidden field"],
    ["it is sent too fast", validFields, { waitMs: 500 }, "That was fast"],
    ["it is sent a day later", validFields, { waitMs: 24 * 3_600_000 }, "open for a long time"],
    ["its token is forged", { ...validFields, token: "a.b.c" }, {}, "could not verify this form"],
  ])("is refused if %s, and nothing typed is lost", async (_, fields, options, message) => {
    const { result, stored } = await send(fields, { address: "3.3.3.3", ...options });
    expect(result).toMatchObject({
      kind: "refused",
      typed: { text: validFields.text, email: validFields.email },
    });
    expect(result.kind === "refused" && result.summary).toContain(message);
    expect(stored).toEqual([]);
  });

  it("that was sent too fast is accepted when its button is pressed again, without JavaScript too", async () => {
    const { result } = await send(validFields, { address: "7.7.7.7", waitMs: 500 });
    const token = (result.kind === "refused" && result.token) || "";
    const again = await send({ ...validFields, token }, { address: "7.7.7.7", waitMs: 1_500 });
    expect(again.result.kind).toBe("stored");
  });

  it.each([
    ["too old", validFields, 24 * 3_600_000],
    ["forged", { ...validFields, token: "a.b.c" }, 0],
  ])("whose token is %s gets another one, which is accepted at once", async (_, fields, waitMs) => {
    const { result } = await send(fields, { address: "6.6.6.6", waitMs });
    const token = result.kind === "refused" ? result.token : undefined;
    const again = await send({ ...validFields, token: token ?? "" }, { waitMs: 0 });
    expect(again.result.kind).toBe("stored");
  });

  it("is accepted only three times per hour from one visitor, but still from other visitors", async () => {
    const kinds: string[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      kinds.push((await send(validFields, { address: "4.4.4.4", waitMs: 2_000 })).result.kind);
    expect(kinds).toEqual(["stored", "stored", "stored", "refused"]);
    expect((await send(validFields, { address: "5.5.5.5" })).result.kind).toBe("stored");
    now = new Date(now.getTime() + 3_600_000);
    expect((await send(validFields, { address: "4.4.4.4" })).result.kind).toBe("stored");
  });

  it("is limited per IPv6 network, whose IP addresses count as one visitor", async () => {
    const kinds: string[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      kinds.push(
        (await send(validFields, { address: `2001:db8:0:1::${attempt}`, waitMs: 2_000 })).result
          .kind,
      );
    expect(kinds).toEqual(["stored", "stored", "stored", "refused"]);
    expect((await send(validFields, { address: "2001:db8:0:2::1" })).result.kind).toBe("stored");
  });

  it("is stored with a hash of its network that is the same on one day only", async () => {
    const readNetwork = async (address: string) =>
      (await send(validFields, { address })).stored[0]?.visitorHash;
    const network = await readNetwork("2001:db8:0:7::1");
    expect(network).toMatch(/^[\w-]{22}$/);
    expect(await readNetwork("2001:db8:0:7::2")).toBe(network);
    expect(await readNetwork("2001:db8:0:8::1")).not.toBe(network);
    now = new Date(now.getTime() + 24 * 3_600_000);
    expect(await readNetwork("2001:db8:0:7::1")).not.toBe(network);
  });

  it("that is refused for one visitor, or sent again, does not count towards the total of all visitors", async () => {
    now = new Date(now.getTime() + 3_600_000);
    const limited = {
      ...rule,
      name: "limited",
      limit: formsPerHour("tests", { visitor: 2, all: 3 }),
    };
    const sendLimited = async (
      address: string,
      store: Parameters<typeof receiveForm>[3] = async () => {},
    ) => {
      const form = new FormData();
      const token = await createToken({ db: database.db, clock });
      now = new Date(now.getTime() + 5_000);
      for (const [name, value] of Object.entries({ ...validFields, token })) form.set(name, value);
      const result = await receiveForm(
        limited,
        form,
        { db: database.db, clock, log, ipAddress: address },
        store,
      );
      return result.kind === "stored" ? "stored" : result.status;
    };
    const broken = () => Promise.reject(new Error("the disk is full"));
    expect(await sendLimited("6.0.0.1", broken)).toBe(503);
    const flood: (string | number)[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) flood.push(await sendLimited("6.0.0.2"));
    expect(flood).toEqual(["stored", "stored", 429, 429, 429, 429]);
    for (const address of ["6.0.1.1", "6.0.1.2", "6.0.1.3"])
      expect(await sendLimited(address, async () => "repeated")).toBe("stored");
    expect([await sendLimited("6.0.0.3"), await sendLimited("6.0.0.4")]).toEqual(["stored", 429]);
  });

  it("counts towards the total of all visitors before it is stored, so that it also limits forms that are sent at the same moment", async () => {
    const all = 3;
    const limit = formsPerHour("tests", { visitor: 2, all });
    const token = await createToken({ db: database.db, clock });
    now = new Date(now.getTime() + 5_000);
    const visitors = Array.from({ length: 10 }, (_, index) => `7.0.0.${index}`);
    let decided = 0;
    const allDecided = Promise.withResolvers<void>();
    const decide = () => {
      decided += 1;
      if (decided === visitors.length) allDecided.resolve();
    };
    const results = visitors.map(async (ipAddress) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...validFields, token })) form.set(name, value);
      const services = { db: database.db, clock, log, ipAddress };
      const result = await receiveForm({ ...rule, name: "at once", limit }, form, services, () => {
        decide();
        return allDecided.promise;
      });
      if (result.kind === "refused") decide();
      return result.kind;
    });
    const stored = (await Promise.all(results)).filter((kind) => kind === "stored");
    expect(stored).toHaveLength(all);
  });

  it("leaves no IP address in the database, and after two days not even a hash", async () => {
    await increaseHourCount(database.db, clock, { what: "test", whom: "9.9.9.9" });
    const { rows } = await database.executeSql("select * from hour_counts");
    expect(JSON.stringify(rows)).not.toContain("9.9.9.9");
    now = new Date(now.getTime() + 2 * 24 * 3_600_000);
    await deleteOldHourCounts(database.db, clock);
    expect(await database.db.select().from(hourCounts)).toEqual([]);
    const salts = await database.executeSql(
      "select name from secrets where name like 'visitors:%'",
    );
    expect(salts.rows).toEqual([]);
    expect((await database.executeSql("select name from secrets")).rows).toEqual([
      { name: "forms" },
    ]);
  });

  it("is refused with everything typed if it cannot be stored", async () => {
    const closed = await openTestDatabase("postgres");
    const form = new FormData();
    for (const [name, value] of Object.entries({
      ...validFields,
      token: await createToken({ db: closed.db, clock }),
    }))
      form.set(name, value);
    await closed.close();
    now = new Date(now.getTime() + 3_000);
    const result = await receiveForm(
      rule,
      form,
      { db: closed.db, clock, log, ipAddress: "" },
      async () => {},
    );
    expect(result).toMatchObject({ kind: "refused", status: 503, typed: validFields });
    expect(lines.join("")).toContain('"event":"form.not_stored"');
  });
});
