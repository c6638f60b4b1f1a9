import { describe, expect, it } from "vitest";
import { filterHref, noFilter, readFilter } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { dedupeEvents } from "./dedupe.server.ts";
import { filterTitle, toWallItem } from "./describe.server.ts";
import {
  buildMonth,
  buildWall,
  filterWindow,
  isOnView,
  isWithin,
  nearestMonth,
  selectEvents,
  selectSoon,
} from "./select.server.ts";

const timeZone = "America/New_York";
const sunday = new Date("2026-11-15T17:00:00Z");
const event = (title: string, starts: string, overrides: Partial<CityEvent> = {}): CityEvent => ({
  id: title,
  meeting: null,
  series: title,
  isSeries: false,
  day: null,
  repeats: null,
  title,
  excerpt: "",
  html: null,
  text: "",
  location: "",
  category: "Music",
  free: false,
  price: null,
  allDay: false,
  image: null,
  isSample: false,
  isCanceled: false,
  changedAt: null,
  source: null,
  link: null,
  agenda: null,
  textOverrides: { date: null, time: null },
  startsAt: new Date(starts),
  endsAt: new Date(Date.parse(starts) + 2 * 60 * 60_000),
  ...overrides,
});
const windowHours = (when: "today" | "weekend" | "month", now: string) => {
  const { from, until } = filterWindow({ ...noFilter, when }, new Date(now), timeZone);
  return [from, until].map((each) => each.toISOString().slice(0, 13));
};

it("an event of several days says on which day it ends, and one that goes on past midnight does not", () => {
  const readTime = (endsAt: string) =>
    toWallItem(event("Fair", "2026-11-27T15:00:00Z", { endsAt: new Date(endsAt) }), timeZone)
      .timeLine;
  expect(readTime("2026-11-29T23:00:00Z")).toBe(
    "10:00\u00a0AM – 6:00\u00a0PM, until Sun, November 29",
  );
  expect(readTime("2026-11-28T06:00:00Z")).toBe("10:00\u00a0AM – 1:00\u00a0AM");
});

it("an exhibition is an event of its first day, and is on view after that", () => {
  const show = event("Show", "2026-11-10T15:00:00Z", { endsAt: new Date("2027-01-10T22:00:00Z") });
  expect(isOnView(show, new Date("2026-11-10T14:00:00Z"))).toBe(false);
  expect(isOnView(show, sunday)).toBe(true);
  const festival = event("Festival", "2026-11-10T15:00:00Z", { endsAt: sunday });
  expect(isOnView(festival, sunday)).toBe(false);
  const month = buildMonth([show], "2026-11", sunday, timeZone);
  expect(month.days.map(({ day }) => day)).toEqual(["2026-11-10"]);
});

describe("a filter", () => {
  it("for today selects midnight to midnight in the city, even when clocks change", () => {
    expect(windowHours("today", "2026-11-16T03:00:00Z")).toEqual([
      "2026-11-15T05",
      "2026-11-16T05",
    ]);
    expect(windowHours("today", "2026-11-01T12:00:00Z")).toEqual([
      "2026-11-01T04",
      "2026-11-02T05",
    ]);
  });

  it("for the weekend selects the coming weekend, or the rest of the current one", () => {
    expect(windowHours("weekend", "2026-11-18T12:00:00Z")).toEqual([
      "2026-11-21T05",
      "2026-11-23T05",
    ]);
    expect(windowHours("weekend", "2026-11-21T12:00:00Z")).toEqual([
      "2026-11-21T05",
      "2026-11-23T05",
    ]);
    expect(windowHours("weekend", "2026-11-22T12:00:00Z")).toEqual([
      "2026-11-22T05",
      "2026-11-23T05",
    ]);
  });

  it("for the month ends on the last day of the month", () => {
    expect(windowHours("month", "2026-12-31T12:00:00Z")).toEqual([
      "2026-12-31T05",
      "2027-01-01T05",
    ]);
  });

  it("is read from a URL and written back unchanged, without invalid values", () => {
    const places = [{ slug: "hampden", name: "Hampden" }];
    const query = "place=hampden&when=weekend&free=1&category=music&month=2026-12&day=2028-02-29";
    const filter = readFilter(new URLSearchParams(query), {
      categories: ["Music", "Food"],
      places,
    });
    expect(filterHref("/events", filter)).toBe(`/events?${query}`);
    const invalid = new URLSearchParams(
      "place=atlantis&when=never&free=yes&category=x&month=2026-13&day=2026-02-29",
    );
    expect(readFilter(invalid, { categories: ["Music"], places })).toEqual(noFilter);
  });

  it.each<[Partial<typeof noFilter>, string | null]>([
    [{}, null],
    [{ free: true, when: "weekend" }, "Free events this weekend"],
    [{ when: "today", category: "Music" }, "Events today: Music"],
    [{ month: "2026-12" }, "Events in December 2026"],
    [{ place: { slug: "hampden", name: "Hampden" } }, "Events in Hampden"],
    [
      { place: { slug: "hampden", name: "Hampden" }, free: true, when: "today" },
      "Free events in Hampden today",
    ],
    [{ day: "2026-11-20", free: true }, "Free events on Friday, November 20, 2026"],
  ])("%j has its own title", (filter, title) => {
    expect(filterTitle({ ...noFilter, ...filter }, timeZone)).toBe(title);
  });

  it("excludes events that are canceled or over", () => {
    const events = [
      event("over", "2026-11-15T14:00:00Z"),
      event("off", "2026-11-15T20:00:00Z", { isCanceled: true }),
      event("on", "2026-11-15T16:00:00Z"),
      event("free", "2026-11-15T20:00:00Z", { free: true }),
      event("food", "2026-11-15T20:00:00Z", { free: true, category: "Food" }),
    ];
    const titles = (filter: Partial<typeof noFilter>) =>
      selectEvents(events, { ...noFilter, ...filter }, sunday).map(({ title }) => title);
    expect(titles({})).toEqual(["on", "free", "food"]);
    expect(titles({ free: true, category: "Food" })).toEqual(["food"]);
  });
});

describe("the events wall", () => {
  it("names today and tomorrow, lists events that are still on under today, and shows each series once", () => {
    const { days: shown } = buildWall(
      [
        event("fair", "2026-11-13T15:00:00Z", { endsAt: new Date("2026-11-17T15:00:00Z") }),
        event("chess 1", "2026-11-16T17:00:00Z", { series: "chess" }),
        event("chess 2", "2026-11-23T17:00:00Z", { series: "chess" }),
        event("late", "2026-11-22T04:30:00Z"),
      ],
      sunday,
      sunday,
      timeZone,
    );
    expect(shown.map(({ heading, items }) => [heading, items.map(({ title }) => title)])).toEqual([
      ["Today, Sunday, November 15", ["fair"]],
      ["Tomorrow, Monday, November 16", ["chess 1"]],
      ["Saturday, November 21", ["late"]],
    ]);
  });
});

describe("the events that are soon", () => {
  const titlesAt = (now: string, events: CityEvent[]) => {
    const { tonight, weekend, next } = selectSoon(events, new Date(now), timeZone);
    return [tonight, weekend, next].map((items) => items.map(({ title }) => title));
  };
  const events = [
    event("lunch", "2026-11-20T17:00:00Z"),
    event("concert", "2026-11-21T00:00:00Z"),
    event("chess 1", "2026-11-21T15:00:00Z", { series: "chess" }),
    event("chess 2", "2026-11-22T15:00:00Z", { series: "chess" }),
    event("supper", "2026-11-21T23:00:00Z"),
    event("lecture", "2026-11-25T23:00:00Z"),
  ];

  it("are those of this evening, of the weekend and the next others, each once", () => {
    expect(titlesAt("2026-11-20T15:00:00Z", events)).toEqual([
      ["concert"],
      ["chess 1", "supper"],
      ["lunch", "lecture"],
    ]);
    expect(titlesAt("2026-11-21T14:00:00Z", events.slice(2))).toEqual([
      ["supper"],
      ["chess 1"],
      ["lecture"],
    ]);
  });

  it("are the next ones if the weekend has none", () => {
    expect(titlesAt("2026-11-22T20:00:00Z", events.slice(5))).toEqual([[], [], ["lecture"]]);
  });
});

describe("the coming weekend", () => {
  it("excludes events of Friday and Friday night, and lists a fair that begins on Friday under Saturday", () => {
    const wednesday = new Date("2026-11-18T17:00:00Z");
    const window = filterWindow({ ...noFilter, when: "weekend" }, wednesday, timeZone);
    const endingAt = (instant: string, allDay = false) => ({ endsAt: new Date(instant), allDay });
    const events = [
      event("all Friday", "2026-11-20T05:00:00Z", endingAt("2026-11-21T05:00:00Z", true)),
      event("Friday night", "2026-11-21T03:00:00Z", endingAt("2026-11-21T07:00:00Z")),
      event("fair", "2026-11-20T15:00:00Z", endingAt("2026-11-21T22:00:00Z")),
      event("Saturday", "2026-11-21T15:00:00Z", endingAt("2026-11-21T17:00:00Z")),
    ].filter((each) => isWithin(each, window, wednesday));
    const { days: shown } = buildWall(events, window.from, wednesday, timeZone);
    expect(shown.map(({ heading, items }) => [heading, items.map(({ title }) => title)])).toEqual([
      ["Saturday, November 21", ["fair", "Saturday"]],
    ]);
  });
});

describe("a month", () => {
  it("starts weeks on Sunday and shows an event on each day that the event lasts", () => {
    const fair = event("fair", "2026-11-06T15:00:00Z", {
      endsAt: new Date("2026-11-08T20:00:00Z"),
    });
    const night = event("night", "2026-11-15T03:00:00Z", {
      endsAt: new Date("2026-11-15T07:00:00Z"),
    });
    const { weeks, heading } = buildMonth([fair, night], "2026-11", sunday, timeZone);
    expect(heading).toBe("November 2026");
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
    expect(weeks[0]?.[0]).toMatchObject({ day: "2026-11-01", dayOfMonth: 1 });
    const withEvents = weeks.flat().filter((day) => day && day.events.length > 0);
    expect(withEvents.map((day) => day?.dayOfMonth)).toEqual([6, 7, 8, 14]);
  });

  it("can be at most a month ago or a year ahead", () => {
    expect(nearestMonth("2019-01", sunday, timeZone)).toBe("2026-10");
    expect(nearestMonth("2099-12", sunday, timeZone)).toBe("2027-11");
    expect(buildMonth([], "2027-11", sunday, timeZone)).toMatchObject({
      previous: "2027-10",
      next: null,
    });
  });
});

describe("an event that is in two calendars", () => {
  const start = "2026-12-05T22:30:00Z";
  const dedupedIds = (...lists: CityEvent[][]) =>
    dedupeEvents(lists, { city: "Baltimore", state: "Maryland" }).map(({ id }) => id);

  it("is shown once, from the more trusted calendar", () => {
    const ours = event("Jazz, on the Square!", start, {
      id: "ours",
      location: "Mount Vernon Place",
    });
    const theirs = event("Jazz on the square", start, { id: "theirs", location: "Mount Vernon" });
    expect(dedupedIds([ours], [theirs])).toEqual(["ours"]);
    expect(dedupedIds([theirs], [ours])).toEqual(["theirs"]);
    expect(dedupedIds([ours], [{ ...theirs, location: "" }])).toEqual(["ours"]);
  });

  it("is shown twice if places or times differ, or if one calendar has it twice", () => {
    const canton = event("Story Time", start, { id: "canton", location: "Canton Branch" });
    const hampden = event("Story Time", start, { id: "hampden", location: "Hampden Branch" });
    const later = event("Story Time", "2026-12-05T23:30:00Z", {
      id: "later",
      location: "Canton Branch",
    });
    expect(dedupedIds([canton], [hampden, later])).toEqual(["canton", "hampden", "later"]);
    expect(dedupedIds([canton, { ...canton, id: "again" }])).toEqual(["canton", "again"]);
  });
});
