import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { radioFile } from "./files.server.ts";

const shipped = readFileSync("sites/baltimore/radio.yaml", "utf8");

function listProblems(source: string): string[] {
  const parsed = radioFile.parse(source);
  return parsed.ok ? [] : parsed.problems.map(({ field, message }) => `${field} ${message}`);
}

it.each([
  [
    "days: [daily]",
    "days: [dayly]",
    /programs\.4\.days\.0 must be one of .*Did you mean `daily`\?/,
  ],
  ["days: [daily]", "days: friday", /programs\.\d+\.days must be a list/],
  ["text: The same", "txet: The same", /programs\.1\.txet is not .*Did you mean `text`\?/],
  ["start: 06:00", "start: 6 AM", /programs\.0\.start must be a time such as 06:30 or 18:00/],
  ["start: 06:00", "start: 17.00", /programs\.0\.start must be a time such as 06:30 or 18:00/],
  ["days: [daily]", "days: [monday-friday]", /days\.0 must be one of .*weekdays/],
])("an editor who writes %j as %j learns what to correct", (before, after, message) => {
  expect(listProblems(shipped)).toEqual([]);
  expect(listProblems(shipped.replace(before, after))).toEqual([expect.stringMatching(message)]);
});

it("a schedule without programs is refused", () => {
  const source = shipped.slice(0, shipped.indexOf("schedule:\n"));
  expect(listProblems(`${source}schedule:\n  programs: []\n`)).toEqual([
    "schedule.programs must have at least one program: to show no schedule, delete schedule and all below it",
  ]);
});

it("the schedule may be left out", () => {
  expect(listProblems(shipped.slice(0, shipped.indexOf("schedule:\n")))).toEqual([]);
});
