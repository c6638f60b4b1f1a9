import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wholeCity } from "../../../../tests/support/whole-city.ts";
import type { SiteContent, SiteFile } from "../../../site-files/site-file.server.ts";
import { describeOnAir, describePrograms } from "./on-air.server.ts";

/** The shipped site files, with changes to radio.yaml. */
function createServices(now: string, edit = (source: string) => source) {
  const expiries: string[] = [];
  const site: SiteContent = {
    read<T>(file: SiteFile<T>): T {
      const source = readFileSync(`sites/baltimore/${file.path}`, "utf8");
      const parsed = file.parse(file.path === "radio.yaml" ? edit(source) : source);
      if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
      return parsed.value;
    },
    ...wholeCity,
    readAll: () => [],
  };
  const clock = () => new Date(now);
  return { expiries, site, clock, expireAt: (at: Date) => expiries.push(at.toISOString()) };
}

it("the current program is named until it ends, and then the next one", () => {
  // Friday, 11:30 PM in Baltimore.
  const services = createServices("2026-11-21T04:30:00Z");
  expect(describeOnAir(services)).toEqual({
    station: "Harborline Radio",
    text: "Night Watch, until 6:00 AM. Guitar pieces from our own playlist, until the morning.",
  });
  expect(services.expiries).toEqual(["2026-11-21T11:00:00.000Z"]);
  const { now, next } = describePrograms(services);
  expect(now).toMatchObject({ title: "Night Watch", day: "Today", hours: "10:00 PM – 6:00 AM" });
  expect(next.map(({ title, day, hours }) => [title, day, hours])).toEqual([
    ["Slow Weekend", "Tomorrow", "6:00 AM – 12:00 PM"],
    ["Weekend Afternoon", "Tomorrow", "12:00 PM – 5:00 PM"],
    ["Harbor Lights", "Tomorrow", "5:00 PM – 10:00 PM"],
    ["Night Watch", "Tomorrow", "10:00 PM – 6:00 AM"],
  ]);
});

it("between two programs, and without a schedule, the station is described", () => {
  const text = "24/7 live stream. Live programming from our station stream.";
  const pause = createServices("2026-11-20T12:00:00Z", (source) =>
    source.replace("start: 06:00", "start: 09:00"),
  );
  expect(describeOnAir(pause)).toMatchObject({ text });
  expect(pause.expiries).toEqual(["2026-11-20T14:00:00.000Z"]);
  const none = createServices("2026-11-20T12:00:00Z", (source) =>
    source.slice(0, source.indexOf("schedule:\n")),
  );
  expect(describeOnAir(none)).toMatchObject({ text });
  expect([describePrograms(none), none.expiries]).toEqual([{ now: null, next: [] }, []]);
});
