import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import ICAL from "ical.js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays } from "../../app/lib/dates.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";

/** Noon in Baltimore. */
const startedAt = new Date("2026-11-18T17:00:00Z");
const dayAfter = (days: number) => addDays("2026-11-18", days);
const minuteMs = 60_000;

let city: TestCity;
let clock = startedAt;
beforeAll(async () => {
  // Calendars contain samples only while there are no other events.
  const makeReal = (source: string) => source.replace("sample: true\n", "");
  const real = ["record-swap", "repair-cafe", "duckpin-night"];
  const edits = Object.fromEntries(real.map((id) => [`events/${id}.md`, makeReal]));
  city = await startCity(edits, { FAKE_NOW: startedAt.toISOString(), TRUST_PROXY: "1" });
});
afterAll(() => city?.close());

const get = (path: string) => fetch(city.server.url + path);
const readText = async (path: string) => (await get(path)).text();
const readStatus = async (path: string) => (await get(path)).status;
/** The status of the contact page for a message about a page: a redirect if that page is missing. */
async function contactAbout(path: string): Promise<number> {
  const url = `${city.server.url}/contact?${new URLSearchParams({ about: path })}`;
  return (await fetch(url, { redirect: "manual" })).status;
}
const newsroom = (...args: string[]) => runInServer(city.dataDir, args, { cwd: city.dataDir });

/**
 * Opens the page with a form, and lets ten minutes pass: the server refuses a form that is sent
 * within two seconds, because only bots are that fast. Returns the token of the form.
 */
async function openForm(path: string): Promise<string> {
  const token = /name="token" value="([^"]+)"/.exec(await readText(path))?.[1] ?? "";
  clock = new Date(clock.getTime() + 10 * minuteMs);
  await city.server.setClock(clock.toISOString());
  return token;
}

type File = { name: string; bytes: Uint8Array };

async function sendStory(
  token: string,
  files: File[] = [],
  changes: Record<string, string> = {},
  ipAddress = "192.0.2.1",
) {
  const form = new FormData();
  const fields = {
    title: "The Cat of Pier 5",
    name: "Ann\u001b[31m",
    email: "ann@example.com",
    consent: "on",
  };
  const story = "It began with a cat <b>bold</b>.\r\n\r\nSecond \u001b]0;owned\u0007paragraph.";
  for (const [name, value] of Object.entries({
    ...fields,
    story,
    token,
    alt1: "A cat on a rope",
    ...changes,
  }))
    form.set(name, value);
  for (const { name, bytes } of files)
    form.append("images", new Blob([new Uint8Array(bytes)]), name);
  return fetch(`${city.server.url}/community/submit`, {
    method: "POST",
    headers: { "x-forwarded-for": ipAddress },
    body: form,
  });
}

/** Creates a photo as from a phone: stored rotated, with metadata about where it was taken. */
const createPhoto = () =>
  sharp({ create: { width: 2_400, height: 1_200, channels: 3, background: "#2f6f7e" } })
    .withExif({
      IFD0: { Make: "Sample Phone" },
      IFD3: { GPSLatitude: "39/1 17/1 0/1", GPSLatitudeRef: "N" },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** Creates a small PNG file whose header says that it has 54 million pixels. */
async function createHugeImage(): Promise<Buffer> {
  const image = await sharp({
    create: { width: 1, height: 1, channels: 3, background: "#fff" },
  })
    .png()
    .toBuffer();
  const header = image.indexOf("IHDR");
  image.writeUInt32BE(9_000, header + 4);
  image.writeUInt32BE(6_000, header + 8);
  image.writeUInt32BE(crc32(image.subarray(header, header + 17)), header + 17);
  return image;
}

describe("a reader's story", () => {
  it("with invalid photos is refused, with the typed text preserved and a reason for each file", async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    );
    const token = await openForm("/community/submit");
    const response = await sendStory(token, [
      { name: "innocent.jpg", bytes: svg },
      {
        name: "large.jpg",
        bytes: Buffer.concat([await createPhoto(), Buffer.alloc(8 * 1024 * 1024)]),
      },
      { name: "empty.jpg", bytes: Buffer.alloc(0) },
    ]);
    const page = await response.text();
    expect(response.status).toBe(422);
    expect(page).toContain("One field needs another look.");
    expect(page).toMatch(
      /id="images-error"[^>]*>We cannot read “innocent.jpg”.* “large.jpg” is larger than 8 MB. “empty.jpg” is empty./,
    );
    expect(page).toContain('value="The Cat of Pier 5"');
    expect(page).toContain('value="A cat on a rope"');
    expect(page).toContain("please choose them again");

    const tooLarge = await sendStory(
      token,
      [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: Buffer.alloc(9_000_000) })),
    );
    const tooLargePage = await tooLarge.text();
    expect(tooLarge.status).toBe(422);
    expect(tooLargePage).toContain("The photos are too large.");
    expect(tooLargePage).toContain('value="The Cat of Pier 5"');
  });

  it("waits for an editor together with its images, and has a page from its approval until its rejection", async () => {
    const token = await openForm("/community/submit");
    const files = [{ name: "cat.jpg", bytes: await createPhoto() }];
    // The same form sent twice is one story.
    for (let count = 0; count < 2; count += 1)
      expect((await sendStory(token, files)).status).toBe(200);
    expect(await readText("/community")).not.toContain("The Cat of Pier 5");

    const [{ id, images: imageCount }, ...otherStories] = JSON.parse(
      (await newsroom("stories", "list", "--json")).output,
    );
    expect(otherStories).toEqual([]);
    expect(imageCount).toBe(1);
    const showResult = await newsroom("stories", "show", id.slice(0, 8), "--to", city.dataDir);
    expect(showResult.output).toContain("from:      Ann[31m, ann@example.com");
    expect(showResult.output).not.toContain("\u001b");
    const file = join(city.dataDir, `story-${id.slice(0, 8)}`, "image-1.webp");
    const storedImage = await readFile(file);
    // The image is upright, smaller, and has no metadata about the phone and the place.
    expect(await sharp(storedImage).metadata()).toMatchObject({
      format: "webp",
      width: 1_000,
      height: 2_000,
    });
    expect((await sharp(storedImage).metadata()).exif).toBeUndefined();
    expect(storedImage.length).toBeLessThan(1024 * 1024);

    for (const [options, message, code = 2] of [
      ["--images 2", "The story has 1 image. Use for example --images 1 or --images none."],
      ["--titel x", '"stories approve" has no option "--titel". Did you mean "--title"?'],
      ["--alt 1", '"--alt 1" must be the number of an image that is shown and its description'],
      ["--alt 1=", "Image 1 needs a description."],
      ["--alt 2=Cat", '"--alt 2=Cat" must be the number of an image that is shown'],
      ["--images none --alt 1=Cat", '"--alt 1=Cat" must be the number of an image that is shown'],
      ["--text /no/such.txt", "✗ Could not read /no/such.txt: there is no such file or folder.", 1],
      ["--text /", "✗ Could not read /: it is a folder.", 1],
    ] as [string, string, number?][])
      expect(
        await newsroom("stories", "approve", id, ...options.split(" ")),
        options,
      ).toMatchObject({ code, output: expect.stringContaining(message) });
    // A number in the list is not an id, even if one begins with it.
    expect(await newsroom("stories", "approve", id.slice(0, 1))).toMatchObject({
      code: 1,
      output: expect.stringContaining("Type at least 4 characters of an id."),
    });
    const approved = await newsroom("stories", "approve", id.slice(0, 4), "--alt", "1=A grey cat");
    expect(approved.output).toContain("/news/the-cat-of-pier-5");
    expect(await readText("/community")).toContain("/news/the-cat-of-pier-5");
    const page = await readText("/news/the-cat-of-pier-5");
    expect(page).toContain("<p>It began with a cat &lt;b&gt;bold&lt;/b&gt;.</p>");
    expect(page).toContain('alt="A grey cat"');
    expect(page).toContain("A story from one of our readers, Ann");
    // The story is not a sample, so search engines may index it.
    expect(page).toContain('"@type":"NewsArticle"');
    expect(page).toMatch(/<meta name="robots" content="index, follow/);
    expect(page).not.toContain("This is a sample story.");
    expect(page).not.toContain("ann@example.com");
    const imagePath = /\/pictures\/[\w-]+\.webp/.exec(page)?.[0] ?? "";
    const imageResponse = await fetch(city.server.url + imagePath);
    expect(imageResponse.headers.get("content-type")).toBe("image/webp");
    expect(Buffer.from(await imageResponse.arrayBuffer()).equals(storedImage)).toBe(true);
    const conditionalOptions = {
      headers: { "if-none-match": imageResponse.headers.get("etag") ?? "" },
    };
    expect((await fetch(city.server.url + imagePath, conditionalOptions)).status).toBe(304);

    // A file with the same path does not replace the story, and `validate` says so.
    const sameName = join(city.siteFolder, "news/the-cat-of-pier-5.md");
    await copyFile(join(city.siteFolder, "news/marble-steps.md"), sameName);
    expect((await newsroom("validate", "--problems")).output).toContain(
      "because a reader's story has the path",
    );
    expect(await readText("/news/the-cat-of-pier-5")).toContain("A story from one of our readers");
    await rm(sameName);
    await expect
      .poll(() => city.server.output())
      .toContain('"event":"site.removed","file":"news/the-cat-of-pier-5.md"');

    expect(await contactAbout("/news/the-cat-of-pier-5")).toBe(200);
    expect(await newsroom("stories", "reject", "the-cat-of-pier-5")).toMatchObject({ code: 0 });
    expect(await contactAbout("/news/the-cat-of-pier-5")).toBe(302);
    expect(await readStatus("/news/the-cat-of-pier-5")).toBe(410);
    expect(await readStatus(imagePath)).toBe(404);
    expect(await readText("/community")).not.toContain("The Cat of Pier 5");
    const notAFolder = await newsroom("stories", "show", id.slice(0, 8), "--to", file);
    expect(notAFolder.output).toContain(
      `story-${id.slice(0, 8)}: a part of its path is a file, not a folder.`,
    );
    expect(notAFolder.code).toBe(1);
    expect((await newsroom("stories", "reject", "nothing")).code).toBe(1);
    expect((await newsroom("stories", "dance")).code).toBe(2);
  });

  it("is rejected together with others, or not at all if one of them is not found", async () => {
    const titles = ["First of three", "Second of three", "Third of three"];
    for (const title of titles) {
      const token = await openForm("/community/submit");
      expect((await sendStory(token, [], { title }, "192.0.2.4")).status).toBe(200);
    }
    const listWaiting = async () => {
      const stories = JSON.parse((await newsroom("stories", "list", "--json")).output);
      return stories.map(({ id }: { id: string }) => id);
    };
    const ids = await listWaiting();
    expect(ids).toHaveLength(3);
    const [firstId, secondId, thirdId] = ids;
    const refused = await newsroom("stories", "reject", firstId, "0000-none", thirdId);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/"0000-none".*\nNothing was changed/),
    });
    for (const [words, message] of [
      ["approve --all --title X --yes", '"--title" changes one story.'],
      ["approve", '"stories approve" needs <id>: one or more ids, or --all.'],
      [`reject ${firstId} --all`, '"stories reject" takes ids or --all, not both.'],
      ["reject --all", "Nothing was changed, because nobody can confirm it here."],
    ] as const)
      expect(await newsroom("stories", ...words.split(" ")), words).toMatchObject({
        code: 2,
        output: expect.stringContaining(message),
      });
    const shown = await newsroom("stories", "show", firstId, secondId);
    expect(shown.output).toMatch(/First of three[\s\S]*\n\n[\s\S]*Second of three/);
    expect((await newsroom("stories", "reject", "--all")).output).toMatch(
      /^This would reject 3 stories:\n {2}\w{8} {2}First of three/,
    );
    expect(await listWaiting()).toEqual(ids);
    const { code, output } = await newsroom(
      "stories",
      "reject",
      firstId,
      secondId.slice(0, 8),
      thirdId,
      firstId,
    );
    expect(code).toBe(0);
    expect(output.split("\n")).toEqual(titles.map((title) => `✓ Rejected "${title}".`));
    expect(await listWaiting()).toEqual([]);
  });

  it("with a damaged photo or a photo that needs too much memory is refused", async () => {
    const response = await sendStory(
      await openForm("/community/submit"),
      [
        { name: "bomb.png", bytes: await createHugeImage() },
        { name: "half.jpg", bytes: (await createPhoto()).subarray(0, 900) },
      ],
      {},
      "192.0.2.2",
    );
    const page = await response.text();
    expect(response.status).toBe(422);
    expect(page).toContain("more than 50 million pixels");
    expect(page).toMatch(/id="images-error"[^>]*>.*We could not open “half.jpg”/);
    expect((await newsroom("stories", "list")).output).toBe("No stories are waiting.");
  });
});

describe("a reader's message", () => {
  it("is shown and marked as done by the first characters of its id", async () => {
    const fields = {
      category: "tip",
      name: "Bo",
      email: "bo@example.com",
      message: "Dark\u001b[2J pier.",
      website: "",
    };
    const token = await openForm("/contact/form");
    const response = await fetch(`${city.server.url}/contact/form`, {
      method: "POST",
      headers: { "x-forwarded-for": "192.0.2.3" },
      body: new URLSearchParams({ ...fields, token }),
    });
    expect(response.status).toBe(200);
    const [{ id, text }] = JSON.parse((await newsroom("messages", "list", "--json")).output);
    expect(text).toBe("Dark[2J pier.");
    expect((await newsroom("messages", "list")).output).toMatch(
      /^\w{8} {2}.*tip +Bo +Dark\[2J pier\.$/m,
    );
    expect((await newsroom("messages", "show", id.slice(0, 6))).output).toContain(
      "Bo, bo@example.com",
    );
    expect((await newsroom("messages", "show", "0000%")).code).toBe(1);
    expect((await newsroom("messages", "show")).code).toBe(2);
    expect((await newsroom("messages", "done", id.slice(0, 8))).output).toBe(
      `✓ Marked ${id.slice(0, 8)} as done.`,
    );
    expect((await newsroom("messages", "list")).output).toBe("No messages are waiting.");
    expect((await newsroom("messages", "list", "--all")).output).toContain("done");
  });

  it.each([
    ["/news/arabbers", /Fruit Wagon/],
    ["/blog/how-to-pick-a-crab", /Pick a Crab/],
    ["/events/lantern-walk", /Lantern Walk/],
  ])("about a mistake in %s says so, with the title that the page has", async (path, title) => {
    const query = new URLSearchParams({ about: path });
    expect(await readText(path)).toContain(`href="/contact?${query}#message"`);
    const formQuery = `category=correction&${query}`;
    const contactPage = await get(`/contact?${query}`);
    expect(contactPage.headers.get("cache-control")).toContain("public");
    expect(await contactPage.text()).toContain(
      `src="/contact/form?${formQuery}&edition=full"`.replaceAll("&", "&amp;"),
    );
    const lightPage = await readText(`/contact?${query}&edition=light`);
    expect(lightPage).toContain(formQuery.replace("&", "&amp;"));

    const formPath = `/contact/form?${formQuery}&title=Fake`;
    const formPage = await readText(formPath);
    expect(formPage).toMatch(title);
    expect(formPage).toMatch(/<option value="correction" selected/);
    expect(formPage).not.toContain(">Fake");
    const token = await openForm(formPath);
    const send = (message: string) =>
      fetch(city.server.url + formPath, {
        method: "POST",
        headers: { "x-forwarded-for": "192.0.2.4" },
        body: new URLSearchParams({ category: "correction", message, token, website: "" }),
      });
    // A refused form is still about the same page.
    expect(await (await send("")).text()).toMatch(title);
    expect((await send("The year is wrong.")).status).toBe(200);
    const [{ id, ...stored }] = JSON.parse((await newsroom("messages", "list", "--json")).output);
    expect(stored).toMatchObject({
      text: "The year is wrong.",
      topic: { title: expect.stringMatching(title) },
    });
    expect(new URL(stored.topic.url).pathname).toBe(path);
    expect((await newsroom("messages", "list")).output).toMatch(/The year is wrong\. \(about/);
    const shown = (await newsroom("messages", "show", id)).output;
    expect(shown).toContain(`about:     ${stored.topic.title}\nlink:      ${stored.topic.url}\n`);
    await newsroom("messages", "done", id);
  });

  it("about a story that was taken down while the reader wrote is stored with its path", async () => {
    const query = new URLSearchParams({ about: "/news/gone", category: "tip" });
    const token = await openForm(`/contact/form?${query}`);
    await fetch(`${city.server.url}/contact/form?${query}`, {
      method: "POST",
      headers: { "x-forwarded-for": "192.0.2.5" },
      body: new URLSearchParams({ category: "tip", message: "I was there.", token, website: "" }),
    });
    const [{ id, topic }] = JSON.parse((await newsroom("messages", "list", "--json")).output);
    expect(topic.title).toBe("/news/gone");
    expect(new URL(topic.url).pathname).toBe("/news/gone");
    await newsroom("messages", "done", id);
  });

  it.each(["/news/nope", "/news/%61rabbers", "/about", "https://example.com/", "/news/%"])(
    "is not about %s, which adds nothing to the page cache",
    async (about) => {
      const query = new URLSearchParams({ about });
      const response = await fetch(`${city.server.url}/contact?${query}`, { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe("/contact");
      expect(await readStatus(`/contact/form?${query}`)).toBe(200);
    },
  );
});

describe("the events calendar", () => {
  it("shows a reader's event as soon as it is approved, and hides it when it is rejected", async () => {
    const token = await openForm("/events/submit");
    expect(await readText("/events")).not.toContain("Porch Concert");
    expect((await newsroom("events", "list")).output).toContain("No events are waiting.");
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
      email: "ben@example.com",
    });
    const response = await fetch(`${city.server.url}/events/submit`, {
      method: "POST",
      body: form,
    });
    expect(response.status).toBe(200);

    const [{ id }] = JSON.parse((await newsroom("events", "list", "--json")).output);
    const shortId = id.slice(-6);
    expect((await newsroom("events", "list")).output).toMatch(
      new RegExp(`^${shortId} {2}Nov 18, 2026, \\d+:\\d+ [AP]M +Porch Concert `, "m"),
    );
    const { output } = await newsroom("events", "show", shortId);
    expect(output).toContain(`${shortId}  (waiting)\ntitle:     Porch Concert\n`);
    expect(output).toContain("from:      Ann, ben@example.com");
    expect((await get(`/events/${id}`)).status).toBe(404);
    expect(await readText("/events")).not.toContain("Porch Concert");

    expect(await newsroom("events", "approve", shortId)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^✓ Published: \S+\nThe sender gets an email\.$/),
    });
    expect(await readText("/events")).toContain("Porch Concert");
    expect(await readText("/events?free=1&category=music")).toContain("Porch Concert");
    expect(await readText("/events?category=food")).not.toContain("Porch Concert");
    expect(await readText(`/events/${id}`)).toContain("https://porch.example/");
    const page = await readText(`/events/${id}`);
    expect(page).not.toContain("ben@example.com");
    expect(page).not.toContain("This is a sample event.");
    expect(page).not.toContain("noindex");
    const structuredData = JSON.parse(
      /<script type="application\/ld\+json">(\{[^<]*)<\/script>/.exec(page)?.[1] ?? "{}",
    );
    expect(structuredData).toMatchObject({
      "@type": "Event",
      eventStatus: "https://schema.org/EventScheduled",
    });
    // The times are in the city's time zone.
    expect(structuredData.startDate).toBe(`${dayAfter(3)}T18:00:00-05:00`);
    expect(structuredData.endDate).toBe(`${dayAfter(3)}T19:00:00-05:00`);
    expect(await readText(`/events/${id}/calendar.ics`)).toContain("STATUS:CONFIRMED");

    expect(await contactAbout(`/events/${id}`)).toBe(200);
    expect(await newsroom("events", "reject", id)).toEqual({
      code: 0,
      output: '✓ Removed "Porch Concert" from the site.',
    });
    expect((await newsroom("events", "reject", shortId)).output).toBe(
      '"Porch Concert" is already rejected.',
    );
    expect(await readText("/events")).not.toContain("Porch Concert");
    expect((await get(`/events/${id}`)).status).toBe(404);
    expect(await contactAbout(`/events/${id}`)).toBe(302);
    expect((await newsroom("events", "list", "--all")).output).not.toContain("ben@example.com");
  });

  it("imports a calendar file, and does not add its events again when the file is imported a second time", async () => {
    const file = join(city.dataDir, "season.ics");
    const day = dayAfter(10).replaceAll("-", "");
    await writeFile(
      file,
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@x\nSUMMARY:Tuba Sunday\nLOCATION:Rash Field\nDTSTART;TZID=America/New_York:${day}T150000\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\nEND:VCALENDAR\n`,
    );
    await newsroom("events", "import", file);
    // A path is relative to the folder in which the command was run, not to the server's folder.
    const { code, output } = await newsroom("events", "import", "season.ics");
    expect(output).toContain("✓ Published 3 dates.");
    expect(code).toBe(0);
    const events: { title: string; id: string }[] = (await (await get("/events.json")).json())
      .events;
    const ids = events.filter(({ title }) => title === "Tuba Sunday").map(({ id }) => id);
    expect(ids).toHaveLength(3);
    const page = await readText(`/events/${ids[0]}`);
    expect(page).toContain("More dates");
    expect(page).toContain(`/events/${ids[1]}`);

    const listed = (await newsroom("events", "list", "--all")).output;
    for (const id of ids) expect(listed).toMatch(new RegExp(`^${id} .*3:00 PM +Tuba Sunday$`, "m"));
    expect(await newsroom("events", "reject", ids[0] ?? "", ids[1] ?? "")).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^(✓ Removed "Tuba Sunday" from the site\.\n?){2}$/),
    });
    expect((await get(`/events/${ids[0]}`)).status).toBe(404);
    expect(await newsroom("events", "import", join(city.dataDir, "none.ics"))).toMatchObject({
      code: 1,
    });
    await writeFile(
      join(city.dataDir, "empty.ics"),
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
    );
    expect(await newsroom("events", "import", "empty.ics")).toMatchObject({
      code: 1,
      output: expect.stringContaining("Nothing was imported"),
    });
    expect(await newsroom("events", "approve", "nothing")).toMatchObject({ code: 1 });
    expect(await newsroom("events", "reject", "soup-night")).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^✗ "soup-night" is the file \S+\/events\/soup-night\.md\. .*remove it/,
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
      join(city.dataDir, "mixed.ics"),
      ["BEGIN:VCALENDAR", ...eventLines, "END:VCALENDAR", ""].join("\r\n"),
    );
    const { code, output } = await newsroom("events", "import", "mixed.ics");
    expect(output).toContain("Coming Concert\n");
    expect(output).toContain(`    Last Week\u2019s Fair, ${dayAfter(-3)}: it is over\n`);
    expect(output).toContain("    Never Begins: its start (DTSTART) is missing or is not a date\n");
    expect(output).toContain(
      `    Odd Rule, ${dayAfter(7)}: its recurrence rule (RRULE) could not be read, or`,
    );
    expect(output).toContain(`    (no title), ${dayAfter(6)}: it has no title (SUMMARY)\n`);
    expect(output).toContain(`    Past 0, ${dayAfter(-400)}: it is over\n`);
    expect(output).toContain("    … and 15 more.\n");
    expect(output).toContain("✓ Published 2 dates.");
    expect(code).toBe(0);
  });

  it("can be subscribed to, with or without a filter, and embedded by other sites", async () => {
    const calendar = await get("/events.ics");
    expect(calendar.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    const listTitles = (text: string) =>
      new ICAL.Component(ICAL.parse(text))
        .getAllSubcomponents("vevent")
        .map((event) => new ICAL.Event(event).summary);
    const allTitles = listTitles(await calendar.text());
    const freeTitles = listTitles(await readText("/events.ics?free=1"));
    expect(allTitles).toContain("Record Swap and Listening Hour");
    expect(freeTitles).toContain("Repair Cafe");
    expect(freeTitles).not.toContain("Record Swap and Listening Hour");
    const eventCalendar = await get("/events/soup-night/calendar.ics");
    expect(eventCalendar.headers.get("content-disposition")).toBe(
      'attachment; filename="soup-night.ics"',
    );
    const eventCalendarText = await eventCalendar.text();
    expect(listTitles(eventCalendarText)).toEqual(["Sample: Soup Night at the Market"]);
    expect(eventCalendarText).toContain("STATUS:TENTATIVE");
    expect(eventCalendarText).not.toContain("STATUS:CONFIRMED");
    expect((await get("/events/none/calendar.ics")).status).toBe(404);

    for (const path of ["/events.ics", "/events.json", "/embed/events"]) {
      const refused = await get(`${path}?category=weddings&free=1`);
      expect([path, refused.status]).toEqual([path, 400]);
      expect(await refused.text()).toBe('The value of "category" is not valid.\n');
    }
    for (const query of ["category=&free=0", "category=music", "month=2026-12"])
      expect([query, (await get(`/events.json?${query}`)).status]).toEqual([query, 200]);
    // For a day outside the range of the month view, the page shows the nearest month. This limits
    // the number of different pages.
    expect(await readText("/events?day=2099-12-31")).toContain("<table");

    const embed = await get("/embed/events?category=family");
    expect(embed.headers.get("content-security-policy")).toContain("frame-ancestors *");
    const embedHtml = await embed.text();
    expect(embedHtml).toContain("Family Duckpin Night");
    expect(embedHtml).not.toContain("Soup Night");
    expect(embedHtml).not.toContain("<script");
    expect((await get("/events.json")).headers.get("access-control-allow-origin")).toBe("*");
  });

  it("expires at midnight in the city, or earlier if something else on the page changes", async () => {
    const readExpiry = async (path: string) =>
      new Date((await get(path)).headers.get("expires") ?? "");
    const midnight = new Date("2026-11-19T05:00:00Z");
    for (const path of ["/events.ics", "/embed/events"])
      expect(await readExpiry(path), path).toEqual(midnight);
    // A house ad names the radio program that is on.
    for (const path of ["/events", "/events/lantern-walk"])
      expect((await readExpiry(path)).getTime()).toBeLessThanOrEqual(midnight.getTime());
  });
});
