import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { type CalendarItem, writeCalendar } from "./write-calendar.server.ts";

const now = new Date("2026-11-15T17:00:00Z");
const timeZone = "America/New_York";
const item: CalendarItem = {
  uid: "walk@example.org",
  startsAt: new Date("2026-12-05T22:30:00Z"),
  endsAt: new Date("2026-12-06T00:30:00Z"),
  allDay: false,
  title: "Lanterns, crabs; and a \\ backslash",
  description: `Line one\nLine two, ${"é🏮 ".repeat(60)}\u0007end`,
  location: "Pier 5, Baltimore",
  url: "https://example.org/events/walk",
  categories: ["Community", "Food, Drink"],
  status: "confirmed",
};
const write = (...items: CalendarItem[]) =>
  writeCalendar(items, { name: "Harborline", timeZone, now });
/** Parses with ical.js, Mozilla's parser, which shares no code with our writer. */
const parseEvents = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((event) => new ICAL.Event(event));

describe("a calendar that we write", () => {
  it("is read correctly by another program", () => {
    const [event] = parseEvents(write(item));
    expect(event?.uid).toBe(item.uid);
    expect(event?.summary).toBe(item.title);
    expect(event?.description).toBe(item.description.replace("\u0007", " "));
    expect(event?.location).toBe(item.location);
    expect(event?.component.getFirstProperty("categories")?.getValues()).toEqual(item.categories);
    expect(event?.startDate.toJSDate()).toEqual(item.startsAt);
    expect(event?.endDate.toJSDate()).toEqual(item.endsAt);
    expect(event?.component.getFirstPropertyValue("dtstamp")?.toString()).toBe(
      "2026-11-15T17:00:00Z",
    );
  });

  it("has lines of at most 75 octets that end in CRLF", () => {
    const text = write(item);
    const lines = text.split("\r\n");
    expect(lines.at(-1)).toBe("");
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeGreaterThan(70);
    expect(text).not.toContain("\uFFFD");
  });

  it("can have all-day events, including days when clocks change, and events without an end", () => {
    const [allDayEvent, endlessEvent] = parseEvents(
      write(
        {
          ...item,
          allDay: true,
          startsAt: new Date("2027-03-13T05:00:00Z"),
          endsAt: new Date("2027-03-16T04:00:00Z"),
        },
        { ...item, endsAt: item.startsAt, status: "cancelled" },
      ),
    );
    expect([
      allDayEvent?.startDate.isDate,
      allDayEvent?.startDate.toString(),
      allDayEvent?.endDate.toString(),
    ]).toEqual([true, "2027-03-13", "2027-03-16"]);
    expect(endlessEvent?.component.getFirstPropertyValue("status")).toBe("CANCELLED");
    expect(endlessEvent?.component.hasProperty("dtend")).toBe(false);
  });

  it("may be empty", () => {
    expect(parseEvents(write())).toEqual([]);
  });
});
