import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { eventsFolder } from "../app/features/events/files.server.ts";
import { pickHomeEvents } from "../app/features/events/listing/coming.server.ts";
import { isOver } from "../app/features/events/listing/describe.server.ts";
import { nextDate } from "../app/features/events/listing/file-events.server.ts";
import { homeFile } from "../app/features/home/files.server.ts";
import { addDays, calendarDay, instantAt } from "../app/lib/dates.ts";

const timeZone = "America/New_York";
const site = new URL("../sites/baltimore/", import.meta.url);
const readSiteFile = (path: string) => readFileSync(new URL(path, site), "utf8");

it("on every day of a year, the home page shows two events that are soon, in season and not over", () => {
  const records = readdirSync(new URL("events/", site)).map((name) => {
    const parsed = eventsFolder.file(name).parse(readSiteFile(`events/${name}`));
    if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.problems)}`);
    return parsed.value;
  });
  const home = homeFile.parse(readSiteFile("home.yaml"));
  if (!home.ok) throw new Error(JSON.stringify(home.problems));
  for (let day = "2028-01-01"; day <= "2028-12-31"; day = addDays(day, 1))
    for (const time of ["00:01", "23:59"]) {
      const now = instantAt(day, time, timeZone);
      const next = records.flatMap((record) => nextDate(record, now, timeZone)?.event ?? []);
      const events = pickHomeEvents(next, home.value.events, now);
      expect(new Set(events.map(({ image }) => image?.file)).size, day).toBe(2);
      for (const event of events) {
        const startDay = calendarDay(event.startsAt, timeZone);
        const month = Number(startDay.slice(5, 7));
        const season = records.find(({ id }) => id === event.id)?.front.months ?? [month];
        expect(isOver(event, now), `${event.id} on ${day}`).toBe(false);
        expect(startDay <= addDays(day, 31), `${event.id} on ${day}`).toBe(true);
        expect(season, `${event.id} on ${day}`).toContain(month);
      }
    }
});
