import { describe, expect, it } from "vitest";
import { formatHours, groupWeek, listBroadcasts, type Program } from "./programs.ts";

const program = (title: string, days: Program["days"], start: string, end: string): Program => ({
  title,
  days,
  start,
  end,
});

const zone = "America/New_York";
const listTitles = (programs: Program[], now: string, count = 2) =>
  listBroadcasts(programs, new Date(now), zone)
    .slice(0, count)
    .map(
      ({ program: { title }, startsAt, endsAt }) =>
        `${title} ${startsAt.toISOString().slice(5, 16)} ${endsAt.toISOString().slice(5, 16)}`,
    );

describe("the broadcasts of a schedule", () => {
  const night = program("Night", ["daily"], "22:00", "06:00");
  const morning = program("Morning", ["weekdays"], "06:00", "10:00");

  it("include the one that began yesterday and ends today", () => {
    // Monday, November 16, 2:00 AM in Baltimore.
    expect(listTitles([night, morning], "2026-11-16T07:00:00Z", 3)).toEqual([
      "Night 11-16T03:00 11-16T11:00",
      "Morning 11-16T11:00 11-16T15:00",
      "Night 11-17T03:00 11-17T11:00",
    ]);
  });

  it("begin at their time on the clock, also in the nights when the clocks change", () => {
    // In the first night, 1:00 to 2:00 comes twice; in the second, 2:00 to 3:00 does not exist.
    const programs = [
      program("One", ["daily"], "01:00", "02:00"),
      program("Two", ["daily"], "02:00", "03:00"),
      program("Three", ["daily"], "03:00", "04:00"),
    ];
    expect(listTitles([night], "2026-11-01T04:30:00Z", 1)).toEqual([
      "Night 11-01T02:00 11-01T11:00",
    ]);
    expect(listTitles(programs, "2026-11-01T04:30:00Z", 3)).toEqual([
      "One 11-01T05:00 11-01T07:00",
      "Two 11-01T07:00 11-01T08:00",
      "Three 11-01T08:00 11-01T09:00",
    ]);
    expect(listTitles(programs, "2027-03-14T05:30:00Z", 3)).toEqual([
      "One 03-14T06:00 03-14T07:00",
      "Three 03-14T07:00 03-14T08:00",
      "One 03-15T05:00 03-15T06:00",
    ]);
  });

  it("may last the entire day, and a weekly one is found a week ahead", () => {
    expect(
      listTitles([program("All", ["daily"], "00:00", "24:00")], "2026-11-16T17:00:00Z"),
    ).toEqual(["All 11-16T05:00 11-17T05:00", "All 11-17T05:00 11-18T05:00"]);
    const weekly = program("Weekly", ["monday"], "12:00", "13:00");
    expect(listTitles([weekly], "2026-11-16T17:30:00Z")).toEqual([
      "Weekly 11-16T17:00 11-16T18:00",
      "Weekly 11-23T17:00 11-23T18:00",
    ]);
  });
});

it("days with the same programs are listed together", () => {
  const night = program("Night", ["daily"], "22:00", "06:00");
  const morning = program("Morning", ["weekdays"], "06:00", "10:00");
  const groups = groupWeek([night, morning]);
  expect(groups.map(({ days, programs }) => [days, programs.map(({ title }) => title)])).toEqual([
    ["Monday to Friday", ["Morning", "Night"]],
    ["Saturday and Sunday", ["Night"]],
  ]);
  expect(groupWeek([night])[0]?.days).toBe("Every day");
  expect(groupWeek([program("Jazz", ["friday"], "20:00", "24:00")])[0]?.days).toBe("Friday");
  expect(formatHours(program("Jazz", ["friday"], "00:30", "24:00"))).toBe("12:30 AM – 12:00 AM");
});
