import { describe, expect, it } from "vitest";
import { calendarDay } from "../../../lib/dates.ts";
import { type EventRecord, eventsFolder } from "../files.server.ts";
import { pickHomeEvents } from "./coming.server.ts";
import { toEventDetails as describeEvent } from "./describe.server.ts";
import { datesOf, nextDate } from "./file-events.server.ts";

const timeZone = "America/New_York";
const noon = new Date("2026-11-15T17:00:00Z");

function eventDetails(file: EventRecord, at: Date, zone: string) {
  const next = nextDate(file, at, zone);
  if (!next) throw new Error("The event has no date.");
  return describeEvent(next.event, next.others, {
    now: at,
    timeZone: zone,
    city: "Baltimore",
    origin: "https://x.example",
  });
}

function record(when: string): EventRecord {
  const source = `---
title: A walk
excerpt: Along the water.
category: Community
location: Pier 5
${when}
image: { file: walk.svg }
---
Come.`;
  const parsed = eventsFolder.file("walk.md").parse(source);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

const findProblems = (when: string) => {
  const source = `---\ntitle: A\nexcerpt: B\ncategory: C\nlocation: D\n${when}\nimage: { file: a.svg }\n---\n`;
  const parsed = eventsFolder.file("a.md").parse(source);
  return parsed.ok ? [] : parsed.problems;
};

describe("an event", () => {
  it("on one day shows the weekday, the date and the times", () => {
    const event = eventDetails(
      record('starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }'),
      noon,
      timeZone,
    );
    expect(event).toMatchObject({
      id: "walk",
      dateLine: "Saturday, December 5, 2026",
      timeLine: "5:30 PM – 7:30 PM",
      startsAt: "2026-12-05T17:30:00-05:00",
      endsAt: "2026-12-05T19:30:00-05:00",
      isPast: false,
    });
  });

  it("on several days shows the first and the last date", () => {
    const { dateLine } = eventDetails(
      record('starts: { on: 2026-12-05, at: "10:00" }\nends: { on: 2026-12-06, at: "16:00" }'),
      noon,
      timeZone,
    );
    expect(dateLine).toMatch(/^December 5\s–\s6, 2026$/u);
  });

  it("given as days from today is always that many days away", () => {
    const sample = record('starts: { inDays: 6, at: "17:30" }\nends: { inDays: 6, at: "19:30" }');
    expect(eventDetails(sample, noon, timeZone).dateLine).toBe("Saturday, November 21, 2026");
    expect(eventDetails(sample, new Date("2027-03-10T17:00:00Z"), timeZone)).toMatchObject({
      dateLine: "Tuesday, March 16, 2027",
      // Clocks went forward on March 14.
      startsAt: "2027-03-16T17:30:00-04:00",
      isPast: false,
    });
  });

  it("given as zero days from today moves to tomorrow when it has ended", () => {
    const sample = record('starts: { inDays: 0, at: "19:30" }\nends: { inDays: 0, at: "22:30" }');
    const describeAt = (instant: string) => {
      const { dateLine, isPast } = eventDetails(sample, new Date(instant), timeZone);
      return { dateLine, isPast };
    };
    expect(describeAt("2026-11-16T03:29:00Z")).toEqual({
      dateLine: "Sunday, November 15, 2026",
      isPast: false,
    });
    expect(describeAt("2026-11-16T03:31:00Z")).toEqual({
      dateLine: "Monday, November 16, 2026",
      isPast: false,
    });
  });

  it("given as days from today counts from the date in Baltimore, not in UTC", () => {
    const sample = record('starts: { inDays: 0, at: "23:00" }\nends: { inDays: 0, at: "23:30" }');
    expect(eventDetails(sample, new Date("2026-11-16T03:30:00Z"), timeZone).dateLine).toBe(
      "Sunday, November 15, 2026",
    );
  });

  it("that has ended is past", () => {
    const past = record(
      'starts: { on: 2026-11-01, at: "10:00" }\nends: { on: 2026-11-01, at: "11:00" }',
    );
    expect(eventDetails(past, noon, timeZone).isPast).toBe(true);
  });

  it("can show other text in place of its date and time", () => {
    const withOwnText = record(
      'starts: { inDays: 1, at: "10:00" }\nends: { inDays: 1, at: "11:00" }\ndateText: Every Saturday in June\ntimeText: After sunset',
    );
    expect(eventDetails(withOwnText, noon, timeZone)).toMatchObject({
      dateLine: "Every Saturday in June",
      timeLine: "After sunset",
    });
  });

  it("has a price, is free, or says nothing about that", () => {
    const readPrice = (front: string) => {
      const when = 'starts: { inDays: 1, at: "10:00" }\nends: { inDays: 1, at: "11:00" }';
      return eventDetails(record(`${when}${front}`), noon, timeZone).price;
    };
    expect(readPrice("\nprice: $5 to $10")).toBe("$5 to $10");
    expect(readPrice("\nfree: true")).toBe("Free");
    expect(readPrice("")).toBeNull();
  });

  it("that repeats shows its next date and the dates after it", () => {
    const weekly = record(
      'starts: { on: 2026-10-01, at: "18:00" }\nends: { on: 2026-10-01, at: "19:00" }\nrepeats: FREQ=WEEKLY;UNTIL=20261203',
    );
    const { dateLine, repeats, moreDates } = eventDetails(weekly, noon, timeZone);
    expect(dateLine).toBe("Thursday, November 19, 2026");
    expect(repeats).toBe("Every Thursday");
    expect(moreDates).toEqual([
      { path: "/events/walk?day=2026-11-26", label: "Thu, November 26, 6:00 PM" },
      { path: "/events/walk?day=2026-12-03", label: "Thu, December 3, 6:00 PM" },
    ]);
    // Each of these dates has a page of its own, which names the others.
    const third = nextDate(weekly, noon, timeZone, "2026-12-03");
    expect(third?.event).toMatchObject({ day: "2026-12-03" });
    expect(third?.others.map(({ day }) => day)).toEqual([null, "2026-11-26"]);
    expect(nextDate(weekly, noon, timeZone, "2026-12-04")?.event.day).toBeNull();
    expect(eventDetails(weekly, new Date("2027-02-01T12:00:00Z"), timeZone)).toMatchObject({
      dateLine: "Thursday, December 3, 2026",
      isPast: true,
    });
  });

  it("that repeats in words does not take place on the dates of `except`, and links its agenda", () => {
    const council = record(
      'starts: { on: 2026-10-01, at: "18:00" }\nends: { on: 2026-10-01, at: "19:00" }\nrepeats: every Thursday until 2026-12-24\nexcept: [2026-11-26, 2026-12-24]\nagenda: https://council.example/agenda.pdf',
    );
    const { dateLine, moreDates, agenda } = eventDetails(council, noon, timeZone);
    expect([dateLine, ...moreDates.map(({ label }) => label)]).toEqual([
      "Thursday, November 19, 2026",
      "Thu, December 3, 6:00 PM",
      "Thu, December 10, 6:00 PM",
      "Thu, December 17, 6:00 PM",
    ]);
    expect(agenda).toBe("https://council.example/agenda.pdf");
  });

  it("links to a map of its place in the city, and to web calendars", () => {
    const { mapUrl, calendars } = eventDetails(
      record('starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }'),
      noon,
      timeZone,
    );
    expect(mapUrl).toBe("https://www.openstreetmap.org/search?query=Pier+5%2C+Baltimore");
    expect(calendars.map(({ label }) => label)).toEqual([
      "Google Calendar",
      "Outlook.com",
      "Yahoo Calendar",
    ]);
    expect(calendars[0]?.url).toContain("dates=20261205T223000Z%2F20261206T003000Z");
    expect(calendars[0]?.url).toContain("text=A+walk");
  });

  it("that is a sample says so in the title that readers add to their own calendars", () => {
    const { calendars } = eventDetails(
      record('starts: { inDays: 1, at: "17:30" }\nends: { inDays: 1, at: "19:30" }\nsample: true'),
      noon,
      timeZone,
    );
    for (const { url } of calendars)
      expect([...new URL(url).searchParams.values()]).toContain("Sample: A walk");
  });

  it.each([
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-04, at: "19:30" }',
      "before the start",
    ],
    ['starts: { inDays: 10, at: "10:00" }\nends: { inDays: 9, at: "11:00" }', "before the start"],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { inDays: 6, at: "19:30" }',
      "must be a day such as 2026-12-05, as the start is",
    ],
    [
      'starts: { inDays: 6, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }',
      "must be a number of days from today (inDays), as the start is",
    ],
    [
      'starts: { inDays: 1, at: "10:00" }\nends: { inDays: 1, at: "11:00" }\nfree: true\nprice: $5',
      "must not be set for an event that is free",
    ],
    [
      'starts: { on: 2026-12-05, at: "5pm" }\nends: { on: 2026-12-05, at: "19:30" }',
      "must be a time such as",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }\nrepeats: now and then',
      "must be written like these: weekly until 2027-03-01",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "17:45" }\nrepeats: FREQ=DAILY;BYHOUR=17,18',
      "with at most one time per day",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "17:45" }\nrepeats: FREQ=DAILY;BYHOUR=18',
      "must be written like these: weekly until 2027-03-01",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }\nrepeats: weekly until 2026-03-01',
      "ends before the event starts",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }\nrepeats: second Saturday of the month, 3 times',
      "does not include the first date, 2026-12-05, a Saturday",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }\nrepeats: weekly\nexcept: [2026-12-24]',
      "is 2026-12-24, which is not a date of this event",
    ],
    [
      'starts: { on: 2026-12-05, at: "17:30" }\nends: { on: 2026-12-05, at: "19:30" }\nexcept: [2026-12-05]',
      "works only together with repeats",
    ],
    [
      'starts: { on: 2026-11-05, at: "10:00" }\nends: { on: 2026-11-05, at: "11:00" }\nmonths: [5-9]',
      "must include the month in which the event starts",
    ],
    ['starts: tomorrow\nends: { on: 2026-12-05, at: "19:30" }', "must be { on:"],
  ])("with %j is reported as a mistake", (when, message) => {
    expect(findProblems(when)[0]?.message).toContain(message);
  });
});

describe("an event with a season", () => {
  const kayak = (months: string) =>
    record(
      `starts: { inDays: 9, at: "16:00" }\nends: { inDays: 10, at: "18:00" }\nmonths: ${months}`,
    );
  const dateLineAt = (file: EventRecord, at: string) =>
    eventDetails(file, new Date(at), timeZone).dateLine;

  it("moves to the next day in season and keeps its length in days", () => {
    expect(dateLineAt(kayak("[5, 6, 7, 8, 9]"), "2026-11-15T17:00:00Z")).toMatch(
      /^May 1\s–\s2, 2027$/u,
    );
    expect(dateLineAt(kayak("[5-9]"), "2026-04-20T17:00:00Z")).toMatch(/^May 1\s–\s2, 2026$/u);
    expect(dateLineAt(kayak("[5-9]"), "2026-06-01T17:00:00Z")).toMatch(/^June 10\s–\s11, 2026$/u);
    expect(dateLineAt(kayak("[11-2, 4]"), "2026-03-01T17:00:00Z")).toMatch(
      /^April 1\s–\s2, 2026$/u,
    );
    expect(dateLineAt(kayak("[11-2, 4]"), "2026-12-30T17:00:00Z")).toMatch(
      /^January 8\s–\s9, 2027$/u,
    );
  });

  it("that repeats skips dates out of season", () => {
    const monthly = record(
      'starts: { on: 2026-09-20, at: "10:00" }\nends: { on: 2026-09-20, at: "11:00" }\nrepeats: FREQ=MONTHLY\nmonths: [3-9]',
    );
    const year = {
      from: new Date("2026-09-01T00:00:00Z"),
      until: new Date("2027-06-01T00:00:00Z"),
    };
    const days = datesOf(monthly, year, noon, timeZone).map(({ startsAt }) =>
      calendarDay(startsAt, timeZone),
    );
    expect(days).toEqual(["2026-09-20", "2027-03-20", "2027-04-20", "2027-05-20"]);
  });

  it.each([
    ["[0]", "months.0", "must be a month from 1 to 12"],
    ["[5, May]", "months.1", "must be a month from 1 to 12"],
    ["[]", "months", "must list at least one month"],
    ["5-9", "months", "must be a list of months"],
  ])(
    "with months: %s is reported as a mistake with its line and field",
    (months, field, message) => {
      const problems = findProblems(
        `starts: { inDays: 1, at: "10:00" }\nends: { inDays: 1, at: "11:00" }\nmonths: ${months}`,
      );
      expect(problems).toEqual([{ line: 8, field, message: expect.stringContaining(message) }]);
    },
  );
});

describe("the events on the front page", () => {
  it("are completed from other files when a listed event is over or missing", () => {
    const withId = (id: string, starts: string): EventRecord => ({ ...record(starts), id });
    const on = (day: string) =>
      `starts: { on: ${day}, at: "10:00" }\nends: { on: ${day}, at: "11:00" }`;
    const records = [
      withId("over", on("2026-11-14")),
      withId("later", on("2027-02-01")),
      withId("near", on("2026-11-20")),
    ];
    const featured = (...names: string[]) =>
      pickHomeEvents(
        records.flatMap((each) => nextDate(each, noon, timeZone)?.event ?? []),
        names,
        noon,
      ).map(({ id }) => id);
    expect(featured("none", "over", "later")).toEqual(["near", "later"]);
    expect(featured("over")).toEqual(["near", "later"]);
  });
});
