import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { wholeCity } from "../../../../tests/support/whole-city.ts";
import { deskDevices } from "../schema.server.ts";
import { describeBrowser, endRestored, enterDesk, findSession } from "./devices.server.ts";
import { createLink, deleteOldLinks } from "./links.server.ts";

const ana = { name: "Ana", email: "ana@example.com" };
const site = {
  read: () => ({ editors: [ana], mail: "each" }) as never,
  ...wholeCity,
  readAll: () => [],
};

describe.each(databaseKinds)("a signed-in device, on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-18T12:00:00Z");
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  const services = () => ({ db: database.db, clock: () => now, site });
  const createToken = async () =>
    (await createLink(services(), "https://x.example", ana)).split("token=")[1] ?? "";
  const enter = (token: string) =>
    enterDesk(services(), token, { cookieHeader: null, userAgent: "", ipAddress: "192.0.2.1" });

  it("is created once, even if the button is pressed twice at the same time", async () => {
    const token = await createToken();
    const results = await Promise.all([enter(token), enter(token), enter(token)]);
    expect(results.map((result) => result.kind).toSorted()).toEqual(["entered", "used", "used"]);
    expect(await database.db.$count(deskDevices)).toBe(1);
  });

  it("is stored without its secret, and ends with its link when a backup is restored", async () => {
    const [token, unusedToken] = [await createToken(), await createToken()];
    const result = await enter(token);
    const cookie = result.kind === "entered" ? (result.setCookie.split(";")[0] ?? "") : "";
    expect(await findSession(services(), cookie)).toMatchObject({ editor: ana });
    const stored = JSON.stringify(await database.db.select().from(deskDevices));
    expect(stored).not.toContain(cookie.split(".")[1]);
    await endRestored(database.db, now);
    expect(await findSession(services(), cookie)).toBeNull();
    expect(await enter(unusedToken)).toEqual({ kind: "expired" });
    now = new Date("2026-11-19T12:00:01Z");
    expect(await deleteOldLinks(database.db, services().clock)).toBe(3);
  });
});

describe("the name of a device", () => {
  it.each([
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    ["<script>alert(1)</script>", "A browser on an unknown system"],
  ])("is taken from what we know, never from %s", (userAgent, name) => {
    expect(describeBrowser(userAgent)).toBe(name);
  });
});
