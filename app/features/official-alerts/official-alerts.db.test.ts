import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { createSiteContent } from "../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { type FeedServer, startFeedServer } from "../../../tests/support/feed-server.ts";
import {
  alertUrn,
  createOfficialAlert,
  createReference,
} from "../../../tests/support/weather-service.ts";
import { runInThisThread } from "../../../tests/support/worker-pool.ts";
import { createSafeFetch } from "../../lib/external/safe-fetch.server.ts";
import { createLog } from "../../lib/log.ts";
import { noticeFile } from "../alerts/files.server.ts";
import { listRunning } from "../alerts/model.ts";
import { alerts } from "../alerts/schema.server.ts";
import { endAlerts, readAlerts } from "../alerts/store.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { sourceDocuments } from "../sources/schema.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import { readShownOfficialAlerts } from "./read-shown.server.ts";
import { officialAlertHealth, refreshOfficialAlerts } from "./refresh.server.ts";
import { officialAlerts } from "./schema.server.ts";
import { decideWaiting, listHidden, listWaitingAlerts } from "./store.server.ts";

const minute = 60_000;
const at = (time: string) => `2026-11-18T${time}:00-05:00`;

type Recorded = { id: string; sent: string; references?: string[]; [property: string]: unknown };

const feature = ({ sent, references = [], ...more }: Recorded) =>
  createOfficialAlert({
    sent: at(sent),
    expires: at("21:00"),
    ends: at("22:00"),
    references: references.map((each) => createReference(each, at("12:00"))),
    ...more,
  });
const list = (updated: string, ...features: object[]) =>
  JSON.stringify({ type: "FeatureCollection", features, updated: at(updated) });

describe("official alerts", () => {
  let database: OpenDatabase;
  let server: FeedServer;
  let time: number;
  let body: string | null;
  const log = createLog({ write: () => true });
  const clock = () => new Date(time);
  beforeAll(async () => {
    database = await openTestDatabase();
    server = await startFeedServer((_, response) =>
      body === null ? response.writeHead(503).end() : response.end(body),
    );
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    for (const table of [alerts, officialAlerts, sourceDocuments]) await database.db.delete(table);
  });

  function createServices(choice = {}) {
    const settings = siteSettingsFile.parse(readFileSync("sites/baltimore/site.yaml", "utf8"));
    const own = officialAlertsFile.parse(readFileSync("sites/baltimore/alerts.yaml", "utf8"));
    if (!settings.ok || !own.ok || !own.value) throw new Error("a shipped file is not valid");
    const site = createSiteContent(
      new Map<string, unknown>([
        [siteSettingsFile.path, settings.value],
        [officialAlertsFile.path, { ...own.value, service: server.url(""), ...choice }],
        [noticeFile.path, []],
      ]),
    );
    const fetch = createSafeFetch(["127.0.0.1"]);
    const page = { tags: new Set<string>(), expireAt() {} };
    return { db: database.db, site, clock, log, fetch, runInWorker: runInThisThread, ...page };
  }
  /** Sets the clock, runs the job with this response, and returns what all pages show. */
  async function run(now: string, response: string | null, choice = {}) {
    time = Date.parse(at(now));
    body = response;
    await refreshOfficialAlerts(createServices(choice));
    return readTexts();
  }
  const readTexts = async () =>
    listRunning(await readAlerts(createServices()), clock()).map(({ text }) =>
      text.replace("High Wind Warning ", ""),
    );
  const readState = async () => (await officialAlertHealth(createServices()))[0];

  it("are issued, updated as the same alert, and cancelled", async () => {
    expect(await run("12:00", list("12:00", feature({ id: "a", sent: "12:00" })))).toEqual(["a"]);
    expect(server.requests.at(-1)?.path).toBe("/alerts/active?zone=MDC510,MDZ011");
    const [first] = await readAlerts(createServices());
    expect(first).toMatchObject({ level: "urgent", endsAt: new Date(at("22:00")) });
    const next = feature({ id: "b", sent: "13:00", references: ["a"] });
    expect(await run("13:00", list("13:00", next))).toEqual(["b"]);
    const [second] = await readAlerts(createServices());
    expect(second?.id).toBe(first?.id);
    const end = { id: "c", sent: "14:00", references: ["a", "b"], messageType: "Cancel" };
    expect(await run("14:00", list("14:00", feature(end)))).toEqual([]);
  });

  it.each(["Update", "Cancel"])("end with an %s whose end has passed", async (messageType) => {
    await run("12:00", list("12:00", feature({ id: "a", sent: "12:00" })));
    const over = { expires: at("13:50"), ends: at("13:50") };
    const end = { id: "b", sent: "14:00", references: ["a"], messageType, ...over };
    expect(await run("14:00", list("14:00", feature(end)))).toEqual([]);
  });

  it("end by themselves, at the minute that the Weather Service says", async () => {
    await run("12:00", list("12:00", feature({ id: "a", sent: "12:00" })));
    const same = list("21:58", feature({ id: "a", sent: "12:00" }));
    expect(await run("21:59", same)).toEqual(["a"]);
    time = Date.parse(at("22:00"));
    expect(await readTexts()).toEqual([]);
    expect(await readShownOfficialAlerts(createServices())).toEqual([]);
  });

  it("are shown word for word, with their sender and time", async () => {
    await run("12:00", list("12:00", feature({ id: "a", sent: "12:00" })));
    expect(await readShownOfficialAlerts(createServices())).toMatchObject([
      {
        headline: "High Wind Warning a",
        paragraphs: ["* WHAT...South winds\n25 to 35 mph.", "Stay   inside."],
        sender: "NWS Baltimore MD/Washington DC",
        sent: { iso: "2026-11-18T17:00:00.000Z" },
      },
    ]);
  });

  it("have their name on all pages and, the worst first, their text on /weather", async () => {
    const description =
      "* IMPACTS...Damaging winds could blow down trees and power\nlines. Stay\ninside.\n* WHERE...Baltimore.";
    const texts = { headline: "A long headline", description };
    const minor = feature({ id: "b", sent: "12:01", severity: "Minor" });
    await run("12:02", list("12:02", minor, feature({ id: "a", sent: "12:00", ...texts })), {
      show: ["Severe", "Minor"],
    });
    expect(await readTexts()).toEqual(["a", "b"]);
    const shown = await readShownOfficialAlerts(createServices({ show: ["Severe", "Minor"] }));
    expect(shown).toMatchObject([
      {
        headline: "A long headline",
        paragraphs: [
          "* IMPACTS...Damaging winds could blow down trees and power lines. Stay\ninside.\n* WHERE...Baltimore.",
          "Stay   inside.",
        ],
      },
      { headline: "High Wind Warning b" },
    ]);
    const [alert] = await readAlerts(createServices());
    expect(shown.map(({ id }) => `/weather#${id}`)).toContain(alert?.link);
  });

  it("stay while a response is malformed, larger than 10 MB or older than the one before", async () => {
    const good = feature({ id: "a", sent: "12:00" });
    await run("12:00", list("12:00", good));
    const responses: [string, string, string][] = [
      ["12:02", "{", "not-readable"],
      ["12:05", '{"type":"Feature"}', "not-readable"],
      [
        "12:10",
        list("12:10", { ...good, properties: { id: "x".repeat(10_500_000) } }),
        "too-large",
      ],
      ["12:19", list("11:50"), "stale"],
    ];
    for (const [now, response, cause] of responses) {
      expect(await run(now, response), cause).toEqual(["a"]);
      expect((await readState())?.causeKey).toBe(cause);
    }
  });

  it("skip a message that cannot be read, tests and exercises, without losing the others", async () => {
    const good = feature({ id: "a", sent: "12:00" });
    await run("12:00", list("12:00", good));
    const test = feature({ id: "t", sent: "12:01", status: "Test" });
    const broken = feature({ id: "b", sent: "12:01", severity: "Dreadful" });
    const unstorable = feature({ id: "n", sent: "12:01", headline: "\0" });
    const endless = feature({ id: "e", sent: "12:01", ends: "9999-12-31T23:59:59-23:59" });
    const other = feature({ id: "c", sent: "12:02", headline: null });
    const shown = await run("12:02", list("12:02", test, broken, unstorable, endless, other));
    expect(shown.toSorted()).toEqual(["a", "c"]);
    expect(await readShownOfficialAlerts(createServices())).toContainEqual(
      expect.objectContaining({
        headline: "High Wind Warning c by NWS Baltimore MD/Washington DC",
      }),
    );
  });

  it("disappear when the source cannot be asked for half an hour, and come back with it", async () => {
    const current = list("12:00", feature({ id: "a", sent: "12:00" }));
    await run("12:00", current);
    expect(await run("12:29", null)).toEqual(["a"]);
    expect(await run("12:30", null)).toEqual([]);
    expect(await readState()).toMatchObject({ state: "failing" });
    expect(await run("12:45", current)).toEqual(["a"]);
    expect(await readState()).toMatchObject({ state: "good" });
    time += 30 * minute;
    expect(await readState(), "nothing has asked since").toMatchObject({ causeKey: "stale" });
  });

  it("of a lower severity wait for an editor, and stay hidden if one ended them", async () => {
    const moderate = feature({ id: "m", sent: "12:00", severity: "Moderate" });
    const current = list("12:00", moderate, feature({ id: "a", sent: "12:00" }));
    expect(await run("12:00", current)).toEqual(["a"]);
    const approve = () => decideWaiting(database.db, createServices(), alertUrn("m"), "approved");
    expect(await approve()).toMatchObject({ severity: "Moderate" });
    expect(await approve(), "it no longer waits").toBeNull();
    expect((await readTexts()).toSorted()).toEqual(["a", "m"]);
    const stored = await readAlerts(createServices());
    const id = stored.find(({ text }) => text.endsWith(" a"))?.id ?? "";
    await endAlerts(database.db, clock, [id]);
    expect(await run("12:02", current)).toEqual(["m"]);
    expect(await run("12:40", null), "stale").toEqual([]);
    expect(await run("12:55", current)).toEqual(["m"]);
  });

  it("that become less severe wait for an editor, and one that an editor ended can come back", async () => {
    const services = createServices();
    const moderate = (id: string, sent: string) =>
      list(sent, feature({ id, sent, references: ["a"], severity: "Moderate" }));
    await run("12:00", list("12:00", feature({ id: "a", sent: "12:00" })));
    expect(await run("13:00", moderate("b", "13:00"))).toEqual([]);
    expect(await run("13:02", moderate("b", "13:00"))).toEqual([]);
    expect(await listWaitingAlerts(database.db, services)).toMatchObject([
      { severity: "Moderate" },
    ]);
    await decideWaiting(database.db, services, alertUrn("a"), "approved");
    const [alert] = await readAlerts(services);
    await endAlerts(database.db, clock, [alert?.id ?? ""]);
    await run("13:04", moderate("b", "13:00"));
    expect(await listHidden(database.db, services)).toHaveLength(1);
    await decideWaiting(database.db, services, alertUrn("a"), "approved");
    expect(await readTexts()).toEqual(["b"]);
  });

  it("are back when alerts.yaml shows their severity again", async () => {
    const current = list("12:00", feature({ id: "a", sent: "12:00" }));
    await run("12:00", current);
    expect(await run("12:02", current, { show: ["Extreme"] })).toEqual([]);
    expect(await run("12:04", current, { show: ["Extreme"] })).toEqual([]);
    expect(await run("12:06", current)).toEqual(["a"]);
  });
});
