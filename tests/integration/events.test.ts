import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let server: RunningServer;
beforeAll(async () => {
  folder = await dataFolder();
  server = await startServer({ DATA_DIR: folder.path });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const newsroom = (...args: string[]) =>
  runInServer(folder.path, ["events", ...args], { cwd: folder.path });

const textOf = async (path: string) => (await fetch(server.url + path)).text();
const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("the events calendar", () => {
  it("shows a reader's event as soon as it is approved, and hides it when it is rejected", async () => {
    const token = /name="token" value="([^"]+)"/.exec(await textOf("/events/submit"))?.[1] ?? "";
    expect(await textOf("/events")).not.toContain("Porch Concert");
    expect((await newsroom("list")).output).toContain("No events are waiting.");
    const form = new URLSearchParams({
      title: "Porch Concert",
      location: "Sample Street",
      day: inDays(3),
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
    // The server refuses a form within two seconds of its page, because only bots are that fast.
    const send = async () =>
      (await fetch(`${server.url}/events/submit`, { method: "POST", body: form })).status;
    await expect.poll(send, { timeout: 10_000, interval: 500 }).toBe(200);

    const { output } = await newsroom("list");
    expect(output).toContain("from Ann, ann@example.com");
    const id = /^porch-concert-\w+/m.exec(output)?.[0] ?? "";
    expect((await fetch(`${server.url}/events/${id}`)).status).toBe(404);
    expect(await textOf("/events")).not.toContain("Porch Concert");

    expect(await newsroom("approve", id)).toMatchObject({ code: 0 });
    expect(await textOf("/events")).toContain("Porch Concert");
    expect(await textOf("/events?free=1&category=music")).toContain("Porch Concert");
    expect(await textOf("/events?category=food")).not.toContain("Porch Concert");
    expect(await textOf(`/events/${id}`)).toContain("https://porch.example/");
    const page = await textOf(`/events/${id}`);
    expect(page).not.toContain("ann@example.com");
    expect(page).not.toContain("This is a sample event.");
    expect(page).not.toContain("noindex");
    const facts = JSON.parse(
      /<script type="application\/ld\+json">(\{[^<]*)<\/script>/.exec(page)?.[1] ?? "{}",
    );
    expect(facts).toMatchObject({
      "@type": "Event",
      eventStatus: "https://schema.org/EventScheduled",
    });
    // In the city's time, with the UTC offset of either season.
    expect(facts.startDate).toMatch(new RegExp(`^${inDays(3)}T18:00:00-0[45]:00$`));
    expect(facts.endDate).toMatch(/T19:00:00-0[45]:00$/);
    expect(await textOf(`/events/${id}/calendar.ics`)).toContain("STATUS:CONFIRMED");

    expect(await newsroom("reject", id)).toMatchObject({ code: 0 });
    expect(await textOf("/events")).not.toContain("Porch Concert");
    expect((await fetch(`${server.url}/events/${id}`)).status).toBe(404);
    expect((await newsroom("list", "--all")).output).not.toContain("ann@example.com");
  });

  it("imports a calendar file, and does not add its events again the second time", async () => {
    const file = join(folder.path, "season.ics");
    const day = inDays(10).replaceAll("-", "");
    await writeFile(
      file,
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@x\nSUMMARY:Tuba Sunday\nLOCATION:Rash Field\nDTSTART;TZID=America/New_York:${day}T150000\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\nEND:VCALENDAR\n`,
    );
    await newsroom("import", file);
    // Relative paths start where the command was typed, not where the server was started.
    const { code, output } = await newsroom("import", "season.ics");
    expect(output).toContain("✓ Published 3 dates.");
    expect(code).toBe(0);
    const events: { title: string; id: string }[] = (
      await (await fetch(`${server.url}/events.json`)).json()
    ).events;
    const ids = events.filter(({ title }) => title === "Tuba Sunday").map(({ id }) => id);
    expect(ids).toHaveLength(3);
    const page = await textOf(`/events/${ids[0]}`);
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

  it("lists the events of a calendar file that it skips, with the reason", async () => {
    const event = (...lines: string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
    const stamp = (days: number) => `DTSTART:${inDays(days).replaceAll("-", "")}T150000Z`;
    const past = Array.from({ length: 30 }, (_, index) =>
      event(`UID:old${index}`, `SUMMARY:Past ${index}`, stamp(-400)),
    );
    const mixed = [
      ...event("UID:1", "SUMMARY:Coming Concert", stamp(5)),
      ...event("UID:2", "SUMMARY:Last Week\u2019s Fair", stamp(-3)),
      ...event("UID:3", "SUMMARY:Never Begins"),
      ...event("UID:4", stamp(6)),
      ...event("UID:5", "SUMMARY:Odd Rule", stamp(7), "RRULE:FREQ=SOMETIMES"),
      ...event("UID:6", "SUMMARY:Ended Series", stamp(-90), "RRULE:FREQ=DAILY;COUNT=2"),
      ...past.flat(),
    ];
    await writeFile(
      join(folder.path, "mixed.ics"),
      ["BEGIN:VCALENDAR", ...mixed, "END:VCALENDAR", ""].join("\r\n"),
    );
    const { code, output } = await newsroom("import", "mixed.ics");
    expect(output).toContain("Coming Concert\n");
    expect(output).toContain(`    Last Week\u2019s Fair, ${inDays(-3)}: it is over\n`);
    expect(output).toContain("    Never Begins: its start (DTSTART) is missing or is not a date\n");
    expect(output).toContain(
      `    Odd Rule, ${inDays(7)}: its recurrence rule (RRULE) could not be read;`,
    );
    expect(output).toContain(`    (no title), ${inDays(6)}: it has no title (SUMMARY)\n`);
    expect(output).toContain(`    Past 0, ${inDays(-400)}: it is over\n`);
    expect(output).toContain("    … and 15 more.\n");
    expect(output).toContain("✓ Published 2 dates.");
    expect(code).toBe(0);
  });

  it("can be subscribed to, with or without a filter, and embedded by other sites", async () => {
    const calendar = await fetch(`${server.url}/events.ics`);
    expect(calendar.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    const titles = (text: string) =>
      new ICAL.Component(ICAL.parse(text))
        .getAllSubcomponents("vevent")
        .map((event) => new ICAL.Event(event).summary);
    const all = titles(await calendar.text());
    const free = titles(await textOf("/events.ics?free=1"));
    expect(all).toContain("Sample: Record Swap and Listening Hour");
    expect(free).toContain("Sample: Repair Cafe");
    expect(free).not.toContain("Sample: Record Swap and Listening Hour");
    const one = await fetch(`${server.url}/events/soup-night/calendar.ics`);
    expect(one.headers.get("content-disposition")).toBe('attachment; filename="soup-night.ics"');
    const oneText = await one.text();
    expect(titles(oneText)).toEqual(["Sample: Soup Night at the Market"]);
    expect(oneText).toContain("STATUS:TENTATIVE");
    expect(oneText).not.toContain("STATUS:CONFIRMED");
    expect((await fetch(`${server.url}/events/none/calendar.ics`)).status).toBe(404);

    for (const path of ["/events.ics", "/events.json", "/embed/events"]) {
      const refused = await fetch(`${server.url}${path}?category=weddings&free=1`);
      expect([path, refused.status]).toEqual([path, 400]);
      expect(await refused.text()).toMatch(/^There is no such category\. .*music, family, /);
    }
    expect(await textOf("/events.ics?when=never")).toBe('The value of "when" is not valid.\n');
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
    // For a day outside the range of the month view the page shows the nearest month, which limits
    // the number of different pages.
    expect(await textOf("/events?day=2099-12-31")).toContain("<table");

    const embed = await fetch(`${server.url}/embed/events?category=family`);
    expect(embed.headers.get("content-security-policy")).toContain("frame-ancestors *");
    const markup = await embed.text();
    expect(markup).toContain("Sample: Family Duckpin Night");
    expect(markup).not.toContain("Soup Night");
    expect(markup).not.toContain("<script");
    expect(
      (await fetch(`${server.url}/events.json`)).headers.get("access-control-allow-origin"),
    ).toBe("*");
  });

  it("expires at midnight in the city", async () => {
    for (const path of ["/events", "/events/lantern-walk", "/events.ics", "/embed/events"]) {
      const expires = new Date((await fetch(server.url + path)).headers.get("expires") ?? "");
      expect(expires.toLocaleTimeString("en-US", { timeZone: "America/New_York" })).toBe(
        "12:00:00 AM",
      );
    }
  });
});
