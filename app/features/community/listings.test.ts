import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readSite } from "../../../server/site/site-files.ts";
import { dayAndTime } from "../../site-files/site-fields.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { communityFile } from "./files.server.ts";
import { showListings } from "./listings.server.ts";
import { markChecked } from "./mark-checked.server.ts";

const shipped = await readSite("sites/baltimore", [communityFile, siteSettingsFile]);
const source = await readFile("sites/baltimore/community.yaml", "utf8");
let now = new Date();
const clock = () => now;

it("a listing is gone at midnight in the city after its last day, and the page expires then", () => {
  const expiries: string[] = [];
  const show = (instant: string) => {
    now = new Date(instant);
    const expireAt = (at: Date) => expiries.push(at.toISOString());
    return showListings({ site: shipped, clock, expireAt }, [
      { id: "all year", checked: "2026-11-12" },
      // A typing mistake: nobody has checked it on a day to come.
      { id: "typo", checked: "2026-12-11" },
      { id: "old", until: "2026-11-17" },
      { id: "soon", until: "2026-11-18", checked: "2025-12-30" },
    ]);
  };
  expect(show("2026-11-19T04:59:59Z")).toEqual([
    { id: "soon", note: "Until November 18 · Checked December 30, 2025" },
    { id: "all year", note: "Checked November 12" },
    { id: "typo", note: null },
  ]);
  expect(expiries).toEqual(["2026-11-19T05:00:00.000Z"]);
  expect(show("2026-11-19T05:00:00Z").map(({ id }) => id)).toEqual(["all year", "typo"]);
});

it("a last day more than 20 years away is refused", () => {
  const until = (day: string) => {
    const parsed = communityFile.parse(
      source.replace("link: https://www.barcs.org/", `until: ${day}\n      $&`),
    );
    return parsed.ok ? null : parsed.problems.map(({ message }) => message);
  };
  expect(until(`${new Date().getUTCFullYear() + 19}-12-31`)).toBeNull();
  for (const day of ["9999-12-31", "0000-01-01"])
    expect(until(day)).toEqual(["must be at most 20 years away"]);
  const event = dayAndTime.safeParse({ on: "9999-12-31", at: "23:00" });
  expect(event.error?.issues[0]?.message).toBe("must be at most 20 years away");
});

it("links check writes the date of working links, and changes nothing else", () => {
  const works = new Set(["https://www.barcs.org/", "https://988lifeline.org/"]);
  const first = markChecked(source, works, "2026-11-18");
  expect(first.count).toBe(2);
  const added = first.yaml.split("\n").filter((line) => /checked/.test(line));
  expect(added).toEqual(["      checked: 2026-11-18", "          checked: 2026-11-18"]);
  expect(first.yaml.replaceAll(/ *checked: 2026-11-18\n/g, "")).toBe(source);
  expect(markChecked(first.yaml, works, "2026-11-18").count).toBe(0);
  const later = markChecked(first.yaml, works, "2026-12-01");
  expect(later).toEqual({ yaml: first.yaml.replaceAll("2026-11-18", "2026-12-01"), count: 2 });
  const flow = source.replace(
    /- label: Baltimore City 311\n.*\n.*/,
    '- { label: a, url: https://a.test/, text: "b" }',
  );
  expect(markChecked(flow, new Set(["https://a.test/"]), "2026-11-18").yaml).toContain(
    "{ label: a, checked: 2026-11-18, url: https://a.test/",
  );
});
