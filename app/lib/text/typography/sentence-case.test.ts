import { expect, it } from "vitest";
import { createSentenceCase } from "./sentence-case.ts";

const toSentenceCase = createSentenceCase([
  "Baltimore",
  "Maryland",
  "Fells Point",
  "Fell’s Point",
  "Inner Harbor",
  "UMBC",
  "Gov. Moore",
]);

it.each([
  ["BPD: MAN SHOT NEAR I-95", "BPD: Man shot near I-95"],
  [
    "STANDOFF ON GREENMOUNT AVENUE, CRASH NEAR COLD SPRING LANE",
    "Standoff on Greenmount Avenue, crash near Cold Spring Lane",
  ],
  ["FOUND IN THE MIDDLE OF A CITY STREET", "Found in the middle of a city street"],
  ["FBI AND DEA AGENTS SEARCH FELLS POINT HOME", "FBI and DEA agents search Fells Point home"],
  [
    "FELL'S POINT BAR REOPENS IN BALTIMORE'S HARBOR",
    "Fell’s Point bar reopens in Baltimore's harbor",
  ],
  ["GOV. MOORE SIGNS BILL; UMBC GETS $5M", "Gov. Moore signs bill; UMBC gets $5M"],
  ["A U.S. COURT RULES ON AT&T, MARYLAND", "A U.S. court rules on AT&T, Maryland"],
  [
    "WHAT'S NEXT? CITY'S 4TH PLAN B, FROM 10 A.M. MONDAY",
    "What's next? City's 4th plan B, from 10 a.m. Monday",
  ],
  ["'I CAN'T BREATHE': TRIAL BEGINS", "'I can't breathe': Trial begins"],
  ["\"WE'RE HERE\" SAYS MTA'S CHIEF", "\"We're here\" says MTA's chief"],
  ["RAVENS VS. 49ERS: TV, TIME, ODDS", "Ravens vs. 49ers: TV, time, odds"],
  ["WATCH LIVE", "Watch live"],
])("%s becomes %s", (written, shown) => {
  expect(toSentenceCase(written)).toBe(shown);
  expect(toSentenceCase(shown)).toBe(shown);
});

it.each([
  "WATCH: Man rescued from harbor",
  "FBI, DEA, DOJ",
  "NASA",
  "COVID-19",
  "港口重新开放",
  "ПОЖАР в порту",
  "",
  "2026",
])("%s stays as received", (written) => {
  expect(toSentenceCase(written)).toBe(written);
});

it("works for a city without names", () => {
  expect(createSentenceCase([])("HARBOR REOPENS")).toBe("Harbor reopens");
});
