import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let server: RunningServer;
beforeAll(async () => {
  folder = await createDataFolder();
  server = await startServer({ DATA_DIR: folder.path });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const newsroom = (...args: string[]) =>
  runInServer(folder.path, ["events", ...args], { cwd: folder.path });

const fetchText = async (path: string) => (await fetch(server.url + path)).text();
const dayAfter = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("the events calendar", () => {
  it("shows a reader's event as soon as it is approved, and hides it when it is rejected", async () => {
    const token = /name="token" value="([^"]+)"/.exec(await fetchText("/events/submit"))?.[1] ?? "";
    expect(await fetchText("/events")).not.toContain("Porch Concert");
    expect((await newsroom("list")).output).toContain("No events are waiting.");
    const form = new URLSearchParams({
      title: "Porch Concert",
      location: "Sample Street",
      day: dayAfter(3),
      starts: "18:00",
      ends: "19:00",
      category: "Music",
      free: "on",
      description: "Three songs.",
      consent: "on",
      token,
      url: "https://porch.example/",
      name: "Ann",
      email: "ann@example.com",
    });
    // The server refuses a form that is sent within two seconds after its page was loaded, because
    // only bots are that fast.
    const sendForm = async () =>
      (await fetch(`${server.url}/events/submit`, { method: "POST", body: form })).status;
    await expect.poll(sendForm, { timeout: 10_000, interval: 500 }).toBe(200);

    const { output } = await newsroom("list");
    expect(output).toContain("from Ann, ann@example.com");
    const id = /^porch-concert-\w+/m.exec(output)?.[0] ?? "";
    expect((await fetch(`${server.url}/events/${id}`)).status).toBe(404);
    expect(await fetchText("/events")).not.toContain("Porch Concert");

    expect(await newsroom("approve", id)).toMatchObject({ code: 0 });
    expect(await fetchText("/events")).toContain("Porch Concert");
    expect(await fetchText("/events?free=1&category=music")).toContain("Porch Concert");
    expect(await fetchText("/events?category=food")).not.toContain("Porch Concert");
    expect(await fetchText(`/events/${id}`)).toContain("https://porch.example/");
    const page = await fetchText(`/events/${id}`);
    expect(page).not.toContain("ann@example.com");
    expect(page).not.toContain("This is a sample event.");
    expect(page).not.toContain("noindex");
    const structuredData = JSON.parse(
      /<script type="application\/ld\+json">(\{[^<]*)<\/script>/.exec(page)?.[1] ?? "{}",
    );
    expect(structuredData).toMatchObject({
      "@type": "Event",
      eventStatus: "https://schema.org/EventScheduled",
    });
    // The times are in the city's time zone, with the UTC offset of summer or winter.
    expect(structuredData.startDate).toMatch(new RegExp(`^${dayAfter(3)}T18:00:00-0[45]:00$`));
    expect(structuredData.endDate).toMatch(/T19:00:00-0[45]:00$/);
    expect(await fetchText(`/events/${id}/calendar.ics`)).toContain("STATUS:CONFIRMED");

    expect(await newsroom("reject", id)).toMatchObject({ code: 0 });
    expect(await fetchText("/events")).not.toContain("Porch Concert");
    expect((await fetch(`${server.url}/events/${id}`)).status).toBe(404);
    expect((await newsroom("list", "--all")).output).not.toContain("ann@example.com");
  });

  it("imports a calendar file, and does not add its events again when the file is imported a second time", async () => {
    const file = join(folder.path, "season.ics");
    const day = dayAfter(10).replaceAll("-", "");
    await writeFile(
      file,
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@x\nSUMMARY:Tuba Sunday\nLOCATION:Rash Field\nDTSTART;TZID=America/New_York:${day}T150000\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\nEND:VCALENDAR\n`,
    );
    await newsroom("import", file);
    // A path is relative to the folder in which the command was run, not to the server's folder.
    const { code, output } = await newsroom("import", "season.ics");
    expect(output).toContain("✓ Published 3 dates.");
    expect(code).toBe(0);
    const events: { title: string; id: string }[] = (
      await (await fetch(`${server.url}/events.json`)).json()
    ).events;
    const ids = events.filter(({ title }) => title === "Tuba Sunday").map(({ id }) => id);
    expect(ids).toHaveLength(3);
    const page = await fetchText(`/events/${ids[0]}`);
    expect(page).toContain("More dates");
    expect(page).toContain(`/events/${ids[1]}`);

    expect(await newsroom("reject", ids[0] ?? "")).toMatchObject({ code: 0 });
    expect((await fetch(`${server.url}/events/${ids[0]}`)).status).toBe(404);
    expect(await newsroom("import", join(folder.path, "none.ics"))).toMatchObject({ code: 1 });
    await writeFile(
      join(folder.path, "empty.ics"),
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
    );
    expect(await newsroom("import", "empty.ics")).toMatchObject({
      code: 1,
      output: expect.stringContaining("Nothing was imported"),
    });
    expect(await newsroom("approve", "nothing")).toMatchObject({ code: 1 });
    expect(await newsroom("reject", "soup-night")).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^✗ "soup-night" comes from the file \S+\/events\/soup-night\.md\. .*remove it/,
      ),
    });
  });

  it("lists the events in a calendar file that the import skips, with the reasons", async () => {
    const createEvent = (...lines: string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
    const createStart = (days: number) => `DTSTART:${dayAfter(days).replaceAll("-", "")}T150000Z`;
    const pastEvents = Array.from({ length: 30 }, (_, index) =>
      createEvent(`UID:old${index}`, `SUMMARY:Past ${index}`, createStart(-400)),
    );
    const eventLines = [
      ...createEvent("UID:1", "SUMMARY:Coming Concert", createStart(5)),
      ...createEvent("UID:2", "SUMMARY:Last Week\u2019s Fair", createStart(-3)),
      ...createEvent("UID:3", "SUMMARY:Never Begins"),
      ...createEvent("UID:4", createStart(6)),
      ...createEvent("UID:5", "SUMMARY:Odd Rule", createStart(7), "RRULE:FREQ=SOMETIMES"),
      ...createEvent("UID:6", "SUMMARY:Ended Series", createStart(-90), "RRULE:FREQ=DAILY;COUNT=2"),
      ...pastEvents.flat(),
    ];
    await writeFile(
      join(folder.path, "mixed.ics"),
      ["BEGIN:VCALENDAR", ...eventLines, "END:VCALENDAR", ""].join("\r\n"),
    );
    const { code, output } = await newsroom("import", "mixed.ics");
    expect(output).toContain("Coming Concert\n");
    expect(output).toContain(`    Last Week\u2019s Fair, ${dayAfter(-3)}: it is over\n`);
    expect(output).toContain("    Never Begins: its start (DTSTART) is missing or is not a date\n");
    expect(output).toContain(
      `    Odd Rule, ${dayAfter(7)}: its recurrence rule (RRULE) could not be read;`,
    );
    expect(output).toContain(`    (no title), ${dayAfter(6)}: it has no title (SUMMARY)\n`);
    expect(output).toContain(`    Past 0, ${dayAfter(-400)}: it is over\n`);
    expect(output).toContain("    … and 15 more.\n");
    expect(output).toContain("✓ Published 2 dates.");
    expect(code).toBe(0);
  });

  it("can be subscribed to, with or without a filter, and embedded by other sites", async () => {
    const calendar = await fetch(`${server.url}/events.ics`);
    expect(calendar.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    const listTitles = (text: string) =>
      new ICAL.Component(ICAL.parse(text))
        .getAllSubcomponents("vevent")
        .map((event) => new ICAL.Event(event).summary);
    const allTitles = listTitles(await calendar.text());
    const freeTitles = listTitles(await fetchText("/events.ics?free=1"));
    expect(allTitles).toContain("Sample: Record Swap and Listening Hour");
    expect(freeTitles).toContain("Sample: Repair Cafe");
    expect(freeTitles).not.toContain("Sample: Record Swap and Listening Hour");
    const eventCalendar = await fetch(`${server.url}/events/soup-night/calendar.ics`);
    expect(eventCalendar.headers.get("content-disposition")).toBe(
      'attachment; filename="soup-night.ics"',
    );
    const eventCalendarText = await eventCalendar.text();
    expect(listTitles(eventCalendarText)).toEqual(["Sample: Soup Night at the Market"]);
    expect(eventCalendarText).toContain("STATUS:TENTATIVE");
    expect(eventCalendarText).not.toContain("STATUS:CONFIRMED");
    expect((await fetch(`${server.url}/events/none/calendar.ics`)).status).toBe(404);

    for (const path of ["/events.ics", "/events.json", "/embed/events"]) {
      const refused = await fetch(`${server.url}${path}?category=weddings&free=1`);
      expect([path, refused.status]).toEqual([path, 400]);
      expect(await refused.text()).toMatch(/^There is no such category\. .*music, family, /);
    }
    expect(await fetchText("/events.ics?when=never")).toBe('The value of "when" is not valid.\n');
    // If two parameters select a time, the more precise one applies.
    for (const query of [
      "category=&free=0",
      "when=weekend&month=2026-12",
      "month=2026-12&day=2026-12-05",
    ])
      expect([query, (await fetch(`${server.url}/events.json?${query}`)).status]).toEqual([
        query,
        200,
      ]);
    // For a day outside the range of the month view, the page shows the nearest month. This limits
    // the number of different pages.
    expect(await fetchText("/events?day=2099-12-31")).toContain("<table");

    const embed = await fetch(`${server.url}/embed/events?category=family`);
    expect(embed.headers.get("content-security-policy")).toContain("frame-ancestors *");
    const embedHtml = await embed.text();
    expect(embedHtml).toContain("Sample: Family Duckpin Night");
    expect(embedHtml).not.toContain("Soup Night");
    expect(embedHtml).not.toContain("<script");
    expect(
      (await fetch(`${server.url}/events.json`)).headers.get("access-control-allow-origin"),
    ).toBe("*");
  });

  it("expires at midnight in the city, or earlier if something else on the page changes", async () => {
    const readExpiry = async (path: string) =>
      new Date((await fetch(server.url + path)).headers.get("expires") ?? "");
    const midnight = await readExpiry("/events.ics");
    expect(midnight.toLocaleTimeString("en-US", { timeZone: "America/New_York" })).toBe(
      "12:00:00 AM",
    );
    expect(await readExpiry("/embed/events")).toEqual(midnight);
    // A house ad names the radio program that is on.
    for (const path of ["/events", "/events/lantern-walk"])
      expect((await readExpiry(path)).getTime()).toBeLessThanOrEqual(midnight.getTime());
  });
});
