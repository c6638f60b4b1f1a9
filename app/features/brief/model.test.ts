import { describe, expect, it } from "vitest";
import { isDay } from "../../lib/is-day.ts";
import type { Headline } from "../feeds/model.ts";
import { selectHeadlines } from "./gather.server.ts";
import { findDueDay, nextBriefAt } from "./model.ts";

const timeZone = "America/New_York";
const at = (instant: string) => new Date(instant);

describe("a brief is due at seven in the city", () => {
  it.each([
    ["in winter", "2026-11-15T11:59:59Z", null, "2026-11-15T12:00:00Z"],
    ["in winter", "2026-11-15T12:00:00Z", "2026-11-15", "2026-11-16T12:00:00Z"],
    ["in summer", "2026-07-04T10:59:59Z", null, "2026-07-04T11:00:00Z"],
    ["late in the evening", "2026-07-05T03:30:00Z", "2026-07-04", "2026-07-05T11:00:00Z"],
    [
      "on the day when clocks go forward",
      "2026-03-08T11:00:00Z",
      "2026-03-08",
      "2026-03-09T11:00:00Z",
    ],
    ["an hour before that", "2026-03-08T10:59:59Z", null, "2026-03-08T11:00:00Z"],
    ["on the day when clocks go back", "2026-11-01T11:59:59Z", null, "2026-11-01T12:00:00Z"],
    [
      "on the day when clocks go back",
      "2026-11-01T12:00:00Z",
      "2026-11-01",
      "2026-11-02T12:00:00Z",
    ],
  ])("%s: %s", (_when, now, dueDay, next) => {
    expect(findDueDay(at(now), timeZone)).toBe(dueDay);
    expect(nextBriefAt(at(now), timeZone)).toEqual(at(next));
  });

  it.each(["2026-02-30", "2026-11-5", "2026-13-01", "1999-01-01", "latest", "2026-11-15 ", ""])(
    '"%s" is not a day',
    (text) => {
      expect(isDay(text)).toBe(false);
    },
  );

  it("2028-02-29 is a day", () => {
    expect(isDay("2028-02-29")).toBe(true);
  });
});

describe("the headlines of a brief", () => {
  const now = at("2026-11-15T12:00:00Z");
  const headline = (id: string, source: string, iso: string): Headline => ({
    id,
    title: id,
    link: `https://${source}.example/${id}`,
    source,
    summary: "",
    time: { iso, shown: "" },
    foundAt: iso,
    also: [],
    paywall: false,
  });
  const ids = (local: Headline[], all: Headline[] = []) =>
    selectHeadlines(local, all, now).map(({ id }) => id);
  const fresh = (id: string, source: string) => headline(id, source, "2026-11-15T08:00:00Z");

  it("are at most two per source and eight in all, each once", () => {
    const candidates = Array.from({ length: 30 }, (_, index) =>
      fresh(String(index), `s${Math.floor(index / 5)}`),
    );
    expect(ids([...candidates, ...candidates], candidates)).toEqual([
      "0",
      "1",
      "5",
      "6",
      "10",
      "11",
      "15",
      "16",
    ]);
  });

  it("are local ones, up to three per source, before those of all news fill the rest", () => {
    const local = ["a1", "a2", "a3", "a4", "b1", "b2", "b3"].map((id) => fresh(id, id[0] ?? ""));
    const all = ["n1", "n2", "n3", "m1"].map((id) => fresh(id, id[0] ?? ""));
    expect(ids(local, all)).toEqual(["a1", "a2", "a3", "b1", "b2", "b3", "n1", "n2"]);
    const many = ["a", "b", "c", "d"].flatMap((source) =>
      ["1", "2", "3"].map((number) => fresh(source + number, source)),
    );
    expect(ids(many, all)).toEqual(["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"]);
  });

  it("name the local newsroom if others published the same", () => {
    const [first] = selectHeadlines([fresh("1", "local")], [fresh("1", "national")], now);
    expect(first?.source).toBe("local");
  });

  it("of the last day come before older ones, which only fill up to five", () => {
    const old = ["a", "b", "c", "d", "e", "f"].map((id) =>
      headline(id, id, "2026-11-13T20:00:00Z"),
    );
    const tooOld = headline("lastWeek", "weekly", "2026-11-08T20:00:00Z");
    expect(ids([tooOld, ...old, fresh("new", "x")])).toEqual(["new", "a", "b", "c", "d"]);
    expect(ids([tooOld])).toEqual([]);
    const sameSource = ["1", "2", "3", "4", "5", "6"].map((id) => fresh(id, "only"));
    expect(ids([...old, ...sameSource])).toEqual(["1", "2", "3", "4", "5"]);
  });
});
