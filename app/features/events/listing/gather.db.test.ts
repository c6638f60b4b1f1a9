import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { createSiteContent } from "../../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { noPage } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { eventsFile, eventsFolder } from "../files.server.ts";
import { meetingsFile } from "../meetings/files.server.ts";
import { createEventLookup, eventsWithin } from "./gather.server.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const settings = {
  timeZone: "America/New_York",
  city: "Baltimore",
  origin: "https://x.example",
};
const monthly = eventsFolder.file("walk.md").parse(`---
title: A walk
excerpt: Along the water.
category: Community
location: Pier 5
starts: { on: 2026-05-02, at: "10:00" }
ends: { on: 2026-05-02, at: "11:00" }
repeats: first Saturday of the month
image: { file: walk.svg }
---
Come.`);

if (!monthly.ok) throw new Error(JSON.stringify(monthly.problems));
const site = createSiteContent(
  new Map<string, unknown>([
    [siteSettingsFile.path, settings],
    [eventsFile.path, { sources: [] }],
    [meetingsFile.path, { sources: [], bodies: [] }],
    ["events/walk.md", monthly.value],
  ]),
);

/** Returns the events of a window, as the site sees them at `now`. */
async function listEvents(now: string, from: string, until: string) {
  const lookup = createEventLookup({
    site,
    db: database.db,
    clock: () => new Date(now),
    ...noPage,
  });
  return eventsWithin(lookup, { from: new Date(from), until: new Date(until) });
}

it.each([
  ["of this month", "2026-11-01", "2026-12-01"],
  ["of the last month", "2026-10-01", "2026-11-01"],
])("an event in the calendar %s says how often it repeats", async (_, from, until) => {
  expect(await listEvents("2026-11-18T17:00:00Z", from, until)).toMatchObject([
    { id: "walk", repeats: "First Saturday of the month" },
  ]);
});

it("when a date of a series is over, the next one is at the event's own URL, without a day", async () => {
  const january = ["2027-01-01", "2027-02-01"] as const;
  expect(await listEvents("2026-12-05T15:30:00Z", ...january)).toMatchObject([
    { day: "2027-01-02" },
  ]);
  expect(await listEvents("2026-12-05T16:30:00Z", ...january)).toMatchObject([{ day: null }]);
});
