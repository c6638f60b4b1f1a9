import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { createSiteContent } from "../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../lib/log.ts";
import type { Parsed, SiteFile } from "../../site-files/site-file.server.ts";
import { blogFolder } from "../blog/files.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { eventsFile, eventsFolder } from "../events/files.server.ts";
import { meetingsFile } from "../events/meetings/files.server.ts";
import { radioFile } from "../radio/files.server.ts";
import { adsFile } from "./files.server.ts";
import { prepareAdRows } from "./rows.server.ts";

const now = new Date("2026-11-15T17:00:00Z");
const midnight = new Date("2026-11-16T05:00:00Z");
const shippedFiles = [siteSettingsFile, eventsFile, meetingsFile, radioFile];
const shippedAds = readFileSync("sites/baltimore/ads.yaml", "utf8");

const houseAdYaml = (content: string) =>
  `{ content: ${content}, title: Configured, text: Text, label: Go, to: /events, image: { file: radio.svg } }`;
const ads = `
house:
  event: ${houseAdYaml("next-event")}
  post: ${houseAdYaml("newest-post")}
  radio: ${houseAdYaml("on-air")}
pages:
  home:
    first: { slots: [{ id: "1", house: event }, { id: "2", house: post }, { type: google, house: radio }] }
    last: { height: 200, slots: [{ id: "3", house: event }] }
adsTxt: nobody
`;

const event = (title: string, day: string, image = "lantern-walk.svg") => `---
title: ${title}
excerpt: Come along.
category: Music
location: The pier
sample: true
starts: { on: ${day}, at: "19:00" }
ends: { on: ${day}, at: "21:00" }
image: { file: ${image} }
---
Text.
`;
const post = (title: string, date: string) => `---
metaTitle: ${title}
metaDescription: What it says.
date: ${date}
pinterestImageLink: https://baltimore.harborline.example/art/blog-fort.svg
---
Text.
`;

function parsedValue<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** A city with the shipped site settings, these ads, and these events and posts. */
function city(adsSource: string, records: Record<string, string>) {
  const values = new Map<string, unknown>();
  const add = (file: SiteFile<unknown>, source: string) =>
    values.set(file.path, parsedValue(file.parse(source)));
  for (const file of shippedFiles) add(file, readFileSync(`sites/baltimore/${file.path}`, "utf8"));
  add(adsFile, adsSource);
  for (const [path, source] of Object.entries(records)) {
    const [folder = "", name = ""] = path.split("/");
    add((folder === "events" ? eventsFolder : blogFolder).file(name), source);
  }
  return createSiteContent(values);
}

const events = {
  "events/supper.md": event("Supper", "2026-11-20", "crab-supper.svg"),
  "events/walk.md": event("Walk", "2026-11-18"),
  "events/concert.md": event("Concert", "2026-11-17"),
};
const posts = {
  "blog/old.md": post("Old", "2026-10-01"),
  "blog/new.md": post("New", "2026-11-01"),
  "blog/scheduled.md": post("Scheduled", "2026-11-15T20:00:00-05:00"),
};

describe("house ads", () => {
  let database: OpenDatabase;
  let tags: Set<string>;
  let expiries: Date[];
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(() => {
    tags = new Set();
    expiries = [];
  });

  const loadRows = (site: ReturnType<typeof city>, content: unknown = null) =>
    prepareAdRows(
      {
        site,
        db: database.db,
        clock: () => now,
        log: createLog({ write: () => true }),
        tags,
        expireAt: (instant) => expiries.push(instant),
      },
      "home",
      content,
    );

  it("show the newest post with its own photo", async () => {
    const photo = "image: { file: arabber.svg, alt: A cart }\ndate:";
    const own = { "blog/own.md": post("Own", "2026-11-02").replace("date:", photo) };
    const row = await loadRows(city(ads, { ...events, ...posts, ...own }));
    expect(row("first")?.slots[1]?.houseAd).toMatchObject({
      title: "Own",
      image: { file: "arabber.svg" },
    });
  });

  it("show the next events, the newest post and the station, until one of them changes", async () => {
    const row = await loadRows(city(ads, { ...events, ...posts }));
    const first = row("first");
    expect(first).toMatchObject({ height: 250, houseLabel: "From Harborline" });
    expect(first?.slots.map(({ identity, houseAd }) => [identity, houseAd])).toMatchObject([
      [
        { id: "1" },
        {
          kicker: "Coming up · Sample event",
          title: "Concert",
          text: "Tuesday, November 17 · 7:00 PM – 9:00 PM · The pier",
          link: { label: "Event Details", to: "/events/concert" },
        },
      ],
      [{ id: "2" }, { title: "New", link: { label: "Read More", to: "/blog/new" } }],
      [{ type: "google" }, { title: "Harborline Radio", link: { label: "Go", to: "/events" } }],
    ]);
    // Each event and each image is shown only once.
    expect(row("last")).toMatchObject({
      height: 200,
      slots: [{ houseAd: { title: "Walk", image: null } }],
    });
    expect(row("none")).toBeNull();
    expect(tags).toEqual(new Set(["events", "blog"]));
    expect(expiries).toContainEqual(midnight);
    // The page expires when the first event begins, and when the scheduled post is published.
    expect(expiries).toContainEqual(new Date("2026-11-18T00:00:00Z"));
    expect(expiries).toContainEqual(new Date("2026-11-16T01:00:00Z"));
  });

  it("show no event, post, station or image that is already on the page", async () => {
    const row = await loadRows(city(ads, { ...events, ...posts }), {
      hero: { file: "crab-supper.svg" },
      html: '<img src="/art/radio.svg">',
      listed: [{ title: "Concert" }, { title: "Walk" }, { title: "New" }],
    });
    expect(
      row("first")?.slots.map(({ houseAd }) => [houseAd.title, houseAd.image?.file ?? null]),
    ).toEqual([
      ["Supper", null],
      ["Old", "/art/blog-fort.svg"],
      ["Harborline Radio", null],
    ]);
    const beside = await loadRows(city(ads, { ...events, ...posts }), {
      onAir: "Harborline Radio",
    });
    expect(beside("first")?.slots.at(-1)?.houseAd).toMatchObject({ title: "Configured" });
  });

  it("show the text from ads.yaml in a city without events and posts", async () => {
    const row = await loadRows(city(ads, {}));
    expect(row("first")?.slots.map(({ houseAd }) => houseAd)).toMatchObject([
      {
        kicker: null,
        title: "Configured",
        text: "Text",
        link: { label: "Go" },
        image: { file: "radio.svg" },
      },
      { title: "Configured", image: null },
      { title: "Harborline Radio" },
    ]);
  });

  it("are never the same twice on a page, even if there is no event and no post", async () => {
    const row = await loadRows(city(shippedAds, {}));
    const titles = ["first", "middle", "last"].flatMap((name) =>
      row(name)?.slots.map(({ houseAd }) => houseAd.title),
    );
    expect(new Set(titles).size).toBe(9);
    const tooFew = await loadRows(city(ads, {}));
    expect(tooFew("last")?.slots).toEqual([]);
  });

  it("have an ad frame only if an ad network is set, and never in a placeholder slot", async () => {
    const loadFramePaths = async (source: string) =>
      (await loadRows(city(source, {})))("first")?.slots.map(({ framePath }) => framePath);
    expect(await loadFramePaths(shippedAds)).toEqual([null, null, null]);
    const loaderYaml =
      'loader: { script: "https://a.example/s.js?s={slot}", hosts: ["https://a.example"] }\n';
    expect(await loadFramePaths(loaderYaml + shippedAds)).toEqual([
      "/embed/ad/6079445",
      "/embed/ad/1452360",
      null,
    ]);
  });
});
