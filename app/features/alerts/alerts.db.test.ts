import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { runCommand } from "../../../server/newsroom/commands.ts";
import { runWithJson } from "../../../server/newsroom/print-json.ts";
import { bareHost } from "../../../tests/support/command-host.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { readShippedSite } from "../../../tests/support/shipped-site.ts";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import type { SiteContent, SiteFile } from "../../site-files/site-file.server.ts";
import { alertCommand } from "../desk/commands/alert-command.server.ts";
import { officialCommand } from "../desk/commands/official-command.server.ts";
import { readLog } from "../desk/log/log.server.ts";
import { deskLog } from "../desk/schema.server.ts";
import { officialAlerts } from "../official-alerts/schema.server.ts";
import { shortId } from "../official-alerts/store.server.ts";
import { noticeFile } from "./files.server.ts";
import { findNextEnd, listRunning } from "./model.ts";
import { alerts } from "./schema.server.ts";
import {
  changeAlert,
  createAlert,
  deleteAlerts,
  deleteOldAlerts,
  endAlerts,
  endOtherAlerts,
  readAlerts,
  storeFileAlerts,
  upsertAlert,
} from "./store.server.ts";

const noon = "2026-11-18T17:00:00Z";
const at = (instant: string) => () => new Date(instant);
const water = {
  text: "Water main break downtown",
  level: "urgent",
  link: "/news",
  startsAt: new Date(noon),
  endsAt: new Date("2026-11-18T23:00:00Z"),
} as const;

describe("alerts", () => {
  let database: OpenDatabase;
  let shipped: SiteContent;
  let fileText = "";
  beforeAll(async () => {
    database = await openTestDatabase();
    shipped = await readShippedSite();
  });
  beforeEach(async () => {
    fileText = "[]";
    await database.db.delete(alerts);
    await database.db.delete(deskLog);
  });
  afterAll(() => database.close());

  function readFileAlerts() {
    const parsed = noticeFile.parse(fileText);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return parsed.value;
  }
  /** The shipped city with the notice.yaml of the test. */
  const site: SiteContent = {
    // The type is right: only this file has this path.
    read: <T>(file: SiteFile<T>) =>
      file.path === noticeFile.path ? (readFileAlerts() as T) : shipped.read(file),
    ...wholeCity,
    readAll: (folder) => shipped.readAll(folder),
  };
  /** In a city that has only the page /weather. */
  const leadsToPage = async (path: string) => path === "/weather";
  const servicesAt = (now: string) =>
    ({ site, db: database.db, clock: at(now), leadsToPage }) as Parameters<
      typeof storeFileAlerts
    >[0];
  const running = async (now: string) =>
    listRunning(await readAlerts(servicesAt(now)), new Date(now)).map(({ text }) => text);

  it("run until the second in which they end", async () => {
    await createAlert(database.db, water);
    expect(await running(noon)).toEqual([water.text]);
    expect(await running("2026-11-18T22:59:59Z")).toEqual([water.text]);
    expect(await running("2026-11-18T23:00:00Z")).toEqual([]);
    const read = await readAlerts(servicesAt(noon));
    expect(findNextEnd(read, new Date(noon))).toEqual(water.endsAt);
    expect(findNextEnd(read, water.endsAt)).toBeNull();
  });

  it("can be changed and ended, and not changed afterwards", async () => {
    const { db } = database;
    const id = await createAlert(db, water);
    expect(await changeAlert(db, at(noon), id, { endsAt: new Date("2026-11-19T01:00:00Z") })).toBe(
      true,
    );
    expect(await running("2026-11-19T00:59:59Z")).toEqual([water.text]);
    expect(await changeAlert(db, at(noon), id, { text: "Water is back" })).toBe(true);
    expect(await running("2026-11-19T00:59:59Z")).toEqual(["Water is back"]);
    expect(await endAlerts(db, at("2026-11-18T18:00:00Z"), [id])).toEqual([id]);
    expect(await running("2026-11-18T18:00:00Z")).toEqual([]);
    expect(await endAlerts(db, at("2026-11-18T18:00:00Z"), [id])).toEqual([]);
    expect(await changeAlert(db, at("2026-11-18T18:01:00Z"), id, { endsAt: water.endsAt })).toBe(
      false,
    );
  });

  const run = (...argv: string[]) => runWords("alert", ...argv);
  async function runWords(...typed: string[]): Promise<string> {
    const lines: string[] = [];
    const host: typeof bareHost = {
      ...bareHost,
      siteFolder: "sites/baltimore",
      clock: at(noon),
      services: async () => servicesAt(noon),
      database: async () => database.db,
      print: (line) => lines.push(line),
    };
    await runWithJson(typed, host, (words, caller) =>
      runCommand([alertCommand, officialCommand], words, caller),
    );
    return lines.join("\n");
  }

  it("of an editor lead to pages that exist, and a command that was mistyped changes nothing", async () => {
    const missing = "There is no page /news/watre on this site";
    expect(await run("Water is off", "--link", "/news/watre")).toContain(missing);
    expect(await running(noon)).toEqual([]);
    await run("Water is off");
    expect(await run("Water is off", "--level", "urgent")).toContain("is running");
    expect(await run("extend", "--link", "/weather#sun")).toContain("Every page shows it");
    expect(await run("extend", "--link", "/news/watre")).toContain(missing);
    expect(await run("extend", "--text", "Evacuate")).toContain("Every page shows it");
    for (const typed of [
      ["end", "all"],
      ["stop", "all"],
    ])
      expect(await run(...typed), typed.join(" ")).toContain("To end");
    expect(await running(noon)).toEqual(["Evacuate"]);
  });

  it("of an authority that a command ended stay hidden until a command shows them, which is in the log", async () => {
    const { db } = database;
    const texts = {
      event: "Flood warning",
      headline: "",
      description: "",
      instruction: "",
      area: "",
    };
    await db.insert(officialAlerts).values({
      ...texts,
      key: "urn:1",
      messageId: "urn:1",
      isListed: true,
      severity: "Severe",
      sender: "NWS",
      sentAt: new Date(noon),
      endsAt: water.endsAt,
    });
    await upsertAlert(db, at(noon), "official", "urn:1", water);
    await run("end");
    expect(await db.select().from(officialAlerts)).toMatchObject([{ decision: "hidden" }]);
    expect(await running(noon)).toEqual([]);
    const id = shortId("urn:1");
    expect(await runWords("official", "approve", id)).toContain("Readers now see");
    expect(await running(noon)).toEqual(["Flood warning"]);
    expect(await runWords("official", "hide", id)).toContain("no longer see");
    const entries = await readLog(db, { count: 10 });
    expect(entries.map(({ action }) => action).toSorted()).toEqual(["approved", "ended", "hidden"]);
  });

  it("that commands change are in the log of the desk", async () => {
    await run("Water is off", "--until", "18:00", "--level", "urgent");
    await run("extend", "--until", "19:00");
    await run("extend", "--text", "Water is back", "--until", "20:00");
    await run("end");
    const entries = await readLog(database.db, { count: 10 });
    expect(
      entries
        .map(({ action, kind, title, note }) => [action, kind, title, note].join(" "))
        .toSorted(),
    ).toEqual([
      "changed alert Water is back Until Nov 18, 2026, 8:00 PM",
      "ended alert Water is back ",
      "extended alert Water is off Until Nov 18, 2026, 7:00 PM",
      "published urgent alert Water is off Until Nov 18, 2026, 6:00 PM",
    ]);
  });

  it("are described in JSON by the same fields, however they are printed", async () => {
    const fields = ["endsAt", "id", "issuer", "level", "link", "startsAt", "text", "updatedAt"];
    const fieldsOf = (value: object) => Object.keys(value).toSorted();
    const created = JSON.parse(await run("Water is off", "--until", "18:00", "--json"));
    const [listed] = JSON.parse(await run("list", "--json"));
    const extended = JSON.parse(await run("extend", "--until", "19:00", "--json"));
    expect([created, listed, extended].map(fieldsOf)).toEqual([fields, fields, fields]);
  });

  it("of an editor can be deleted, also when they are over, but not those of others", async () => {
    const { db } = database;
    const [mistake, other] = [await createAlert(db, water), await createAlert(db, water)];
    await endAlerts(db, at("2026-11-18T18:00:00Z"), [mistake]);
    expect(await deleteAlerts(db, [mistake])).toEqual([mistake]);
    expect(await deleteAlerts(db, [mistake])).toEqual([]);
    await upsertAlert(db, at(noon), "official", "urn:1", water);
    const ids = (await readAlerts(servicesAt("2026-11-18T18:00:00Z"))).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(await deleteAlerts(db, ids)).toEqual([other]);
  });

  it("of an authority are one alert per id, follow its updates, and stay ended if an editor ended them", async () => {
    const { db } = database;
    const upsert = (text: string) =>
      upsertAlert(db, at(noon), "official", "urn:1", { ...water, text });
    await upsert("Flood watch");
    await upsert("Flood warning");
    expect(await running(noon)).toEqual(["Flood warning"]);
    const endOthers = (...ids: string[]) => endOtherAlerts(db, at(noon), "official", ids);
    await endOthers("urn:1");
    expect(await running(noon)).toEqual(["Flood warning"]);
    await endOthers("urn:2");
    expect(await running(noon)).toEqual([]);
    await upsert("Flood warning");
    expect(await running(noon)).toEqual(["Flood warning"]);
    await endAlerts(
      db,
      at(noon),
      (await readAlerts(servicesAt(noon))).map(({ id }) => id),
    );
    await upsert("Flood warning again");
    expect(await running(noon)).toEqual([]);
  });

  it("in a file can link to a part of a page or to a search, as those of editors can", async () => {
    fileText = "text: Office closed\nuntil: 2026-11-18 18:00\nlink: /search?q=office#results\n";
    expect(await readAlerts(servicesAt(noon))).toMatchObject([
      { link: "/search?q=office#results" },
    ]);
    for (const link of ["about", "//example.com", "/a b"])
      expect(noticeFile.parse(`text: Closed\nuntil: 2026-11-18 18:00\nlink: "${link}"\n`).ok).toBe(
        false,
      );
  });

  it("come from a file, also before the database has them, and stay in the archive", async () => {
    fileText = "text: Office closed\nuntil: 2026-11-18 18:00\n";
    expect(await running(noon)).toEqual(["Office closed"]);
    await storeFileAlerts(servicesAt(noon));
    await storeFileAlerts(servicesAt("2026-11-18T17:05:00Z"));
    const [stored] = await readAlerts(servicesAt(noon));
    expect(stored).toMatchObject({ issuer: "file", level: "notice", startsAt: new Date(noon) });
    expect(await running("2026-11-18T22:59:59Z")).toEqual(["Office closed"]);
    expect(await running("2026-11-18T23:00:00Z")).toEqual([]);

    fileText = "";
    expect(await running("2026-11-18T19:00:00Z")).toEqual([]);
    await storeFileAlerts(servicesAt("2026-11-18T19:00:00Z"));
    expect(await readAlerts(servicesAt("2026-11-18T19:00:00Z"))).toMatchObject([
      { text: "Office closed", endsAt: new Date("2026-11-18T19:00:00Z") },
    ]);
    fileText = "- text: Office closed\n  until: 2026-11-18 20:00\n";
    await storeFileAlerts(servicesAt("2026-11-18T20:00:00Z"));
    expect(await running("2026-11-18T20:00:00Z")).toEqual(["Office closed"]);
  });

  it("of a file can be deleted when the file no longer has them", async () => {
    const { db } = database;
    fileText = "text: Office clsoed\nuntil: 2026-11-18 18:00\n";
    await storeFileAlerts(servicesAt(noon));
    const read = () => readAlerts(servicesAt("2026-11-18T17:10:00Z"));
    const [mistake] = await read();
    expect(mistake).toMatchObject({ canDelete: false });
    expect(await deleteAlerts(db, [mistake?.id ?? ""])).toEqual([]);
    fileText = "";
    await storeFileAlerts(servicesAt("2026-11-18T17:10:00Z"));
    expect(await read()).toMatchObject([{ canDelete: true }]);
    expect(await deleteAlerts(db, [mistake?.id ?? ""])).toEqual([mistake?.id]);
    expect(await read()).toEqual([]);
  });

  it("of a file can be ended by an editor while the file still has them", async () => {
    fileText = "text: Office closed\nuntil: 2026-11-18 18:00\n";
    await storeFileAlerts(servicesAt(noon));
    const [alert] = await readAlerts(servicesAt(noon));
    await endAlerts(database.db, at(noon), [alert?.id ?? ""]);
    await storeFileAlerts(servicesAt(noon));
    expect(await running("2026-11-18T17:00:01Z")).toEqual([]);
  });

  it("are deleted after a year", async () => {
    await createAlert(database.db, water);
    expect(await deleteOldAlerts(servicesAt("2027-11-18T00:00:00Z"))).toBe(0);
    expect(await deleteOldAlerts(servicesAt("2027-11-19T00:00:00Z"))).toBe(1);
  });

  it.each([
    ["text: Closed", "until", "is missing"],
    ["text: Closed\nuntil: 18:00", "until", "must be a date and a time"],
    ["text: Closed\nuntil: 2026-02-30 18:00", "until", "must be a date and a time"],
    ["- text: A\n  until: 2026-11-18 18:00\n  level: loud", "level", "must be notice or urgent"],
    ["- text: A\n  until: 2026-11-18 18:00\n  link: news", "link", "must be a page"],
    ["- text: A\n  until: 2026-11-18 18:00\n  from: now", "from", "is not a setting of this file"],
    ["Closed", "", "must consist of settings"],
  ])("say what is wrong with the file %j", (source, field, message) => {
    const parsed = noticeFile.parse(source);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.problems[0]?.field).toContain(field);
    expect(parsed.problems[0]?.message).toContain(message);
  });
});
