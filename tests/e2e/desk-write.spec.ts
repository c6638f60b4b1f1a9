import { join } from "node:path";
import { type Browser, type BrowserContextOptions, type Page, test } from "@playwright/test";
import { sql } from "drizzle-orm";
import { openDatabase } from "../../db/client.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { createPhoto } from "../support/photo.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { createAxe, expect, phone, waitForHydration } from "./support.ts";

const desk = `editors:
  - { name: Ana Reyes, email: ana@example.com }
  - { name: Ben Ortiz, email: ben@example.com }
`;

// One city for all of these tests, which run one after the other.
test.describe.configure({ mode: "default" });
let city: TestCity;
/** The server that replaces the city's first one, which a test kills. */
let restarted: RunningServer | undefined;
test.beforeAll(async () => {
  city = await startCity({}, {}, { "desk.yaml": desk }, refuseInDatabase);
});
test.afterAll(async () => {
  await restarted?.stop();
  await city.close();
});

async function signIn(
  browser: Browser,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const baseURL = city.server.url;
  const context = await browser.newContext({ baseURL, viewport: phone, ...options });
  const page = await context.newPage();
  const { output } = await runInServer(city.dataDir, ["desk", "link", name]);
  const { pathname, search } = new URL(/https?:\S+/.exec(output)?.[0] ?? "");
  await page.goto(pathname + search);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Write" }).click();
  return page;
}

/** Makes the database fail for these titles of drafts and stories, and for this note of the log. */
async function refuseInDatabase(dataDir: string): Promise<void> {
  const { db, close } = await openDatabase({ dataDir, onError: console.error });
  await db.execute(sql`alter table desk_drafts add check (fields->>'title' <> 'Not stored')`);
  await db.execute(
    sql`alter table desk_log add check (note <> 'Not stored' and (title <> 'Not published' or action <> 'published'))`,
  );
  await close();
}

/** Holds what the page of a draft sends by itself. Returns a function that lets it go on. */
async function holdSaves(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/desk/write/*/save", async (route) => {
    await held.promise;
    await route.fallback();
  });
  return held.resolve;
}

async function publish(page: Page): Promise<void> {
  await page.getByText("Publish …").click();
  await page.getByRole("button", { name: "Publish now" }).click();
}

test("two editors see each other, and the later one sees both texts", async ({ browser }) => {
  const ana = await signIn(browser, "ana");
  const ben = await signIn(browser, "ben");
  await ana.getByRole("button", { name: "New story" }).click();
  const textOf = (page: Page) => page.getByLabel("Text", { exact: true });
  await expect(ana.getByText("Without a title")).toHaveCount(1);
  await ana.getByLabel("Title", { exact: true }).fill("Ferry");
  await expect(ana.getByText(/^Saved \d/)).toBeVisible();
  await expect(ana).toHaveTitle("Ferry – The desk");
  await expect(ana.getByText("Without a title")).toHaveCount(0);
  // The way back from the preview leads to the same tab.
  await ana.setViewportSize(phone);
  const preview = ana.waitForEvent("popup");
  await ana.getByRole("link", { name: "Preview" }).click();
  const previewed = await preview;
  await waitForHydration(previewed);
  const closed = previewed.waitForEvent("close");
  await previewed.getByRole("link", { name: "Back to the draft" }).click();
  await closed;
  // An own second tab does not lock the first one.
  const second = await ana.context().newPage();
  await second.goto(ana.url());
  await textOf(second).fill("From the second tab.");
  await expect(second.getByText("Saving …")).toBeVisible();
  await expect(second.getByText(/^Saved \d/)).toBeVisible();
  await ana.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(ana.getByText("You have this open in another tab.")).toBeVisible();
  await expect(textOf(ana)).toHaveValue("From the second tab.");
  await second.close();
  // The closed tab says that the draft is closed, until the other one says that it is open.
  await expect(async () => {
    await ana.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await ben.goto(ana.url());
    await expect(ben.getByText("Ana Reyes is editing this, just now.")).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await expect(textOf(ben)).toBeDisabled();
  await ben.getByRole("button", { name: "Take over" }).click();
  await expect(textOf(ben)).toBeEnabled();
  // The page asks every ten seconds, and when somebody looks at it again.
  await ana.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(ana.getByText("Ben Ortiz is editing this, just now.")).toBeVisible();
  await expect(textOf(ana)).toBeDisabled();
  // Nobody has to take over what is closed.
  const draft = ana.url();
  await ben.getByRole("link", { name: "← Write" }).click();
  await expect(ben.getByRole("heading", { name: "Write" })).toBeVisible();
  const others = await ana.context().newPage();
  await expect(async () => {
    await others.goto("/desk/write");
    await expect(others.getByText("is editing this")).toHaveCount(0, { timeout: 1 });
  }).toPass();
  const reported = ana.waitForResponse(
    (response) => response.url().endsWith("/save") && response.status() === 200,
  );
  await ana.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await reported;
  await expect(textOf(ana)).toBeEnabled();
  // Otherwise the page of one editor, which asks every ten seconds, may notice the other in time.
  await ana.context().setOffline(true);
  await ben.goto(draft);
  await ben.getByRole("button", { name: "Take over" }).click();
  await textOf(ben).fill("Ben’s text");
  await expect(ben.getByText("Saving …")).toBeVisible();
  await expect(ben.getByText(/^Saved \d/)).toBeVisible();
  await textOf(ana).fill("Ana’s text");
  await ana.context().setOffline(false);
  await expect(ana.getByRole("heading", { name: "Ben Ortiz saved another version" })).toBeVisible();
  await expect(ana.getByText("Ben’s text")).toBeVisible();
  await ana.getByRole("button", { name: "Keep both texts" }).click();
  await expect(textOf(ana)).toHaveValue(/^Ana’s text\n\n=== Ben Ortiz, .+ ===\n\nBen’s text$/);

  // A text from Word or the web becomes Markdown, with an image from the clipboard.
  await textOf(ana).fill("");
  await textOf(ana).evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "x");
    clipboardData.setData(
      "text/html",
      `<style>p { margin: 0 }</style><h1 style="color: red">New boats</h1><p class="MsoNormal"><b>Two</b> of them, <i>maybe </i>three.<o:p></o:p></p>
        <p class="MsoListParagraphCxSpFirst"><span>·  </span>One</p><p class="MsoListParagraphCxSpLast">· Two</p>
        <b style="font-weight:normal"><p>See <a href="https://example.com/a">this</a> <span style="font-weight:700">plan</span>.</p></b>`,
    );
    area.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect(textOf(ana)).toHaveValue(
    "## New boats\n\n**Two** of them, *maybe* three.\n\n- One\n- Two\n\nSee [this](https://example.com/a) **plan**.",
  );
  await textOf(ana).selectText();
  await textOf(ana).press("ControlOrMeta+b");
  await expect(textOf(ana)).toHaveValue(/^\*\*## New/);

  // Somebody who watches learns what became of the draft.
  await expect(ana.getByText(/^Saved \d/)).toBeVisible();
  await ben.goto(draft);
  await expect(ben.getByText("Ana Reyes is editing this")).toBeVisible();
  await ana.getByText("Delete this draft").click();
  await ana.getByRole("button", { name: "Yes, delete it" }).click();
  await expect(ana.getByText("There are no drafts.")).toBeVisible();
  await ben.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(ben.getByRole("heading", { name: "Ana Reyes deleted this draft." })).toBeVisible();
  await expect(ben.getByRole("link", { name: "Write" })).toBeVisible();
});

test("an editor with a scheduled draft open learns that its event was rejected", async ({
  browser,
}) => {
  const ana = await signIn(browser, "ana");
  await ana.getByRole("button", { name: "New event" }).click();
  await ana.getByLabel("Title", { exact: true }).fill("Lantern Walk");
  await ana.getByLabel("What happens there").fill("Bring a lantern.");
  await ana.locator("[name=location]").fill("Pier 5");
  await ana
    .locator("[name=day]")
    .fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10));
  await ana.locator("[name=starts]").fill("18:00");
  await ana.locator("[name=category]").selectOption({ index: 1 });
  await publish(ana);
  const path = await ana.getByRole("link", { name: "Read it on the site" }).getAttribute("href");
  const id = path?.split("/").at(-1) ?? "";
  await ana.goto(`/desk/published/event/${id}`);
  await ana.getByRole("button", { name: "Edit" }).click();
  await ana.getByText("Publish …").click();
  await ana.locator("[name=publishAt]").fill("2099-01-01T12:00");
  await ana.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(ana.getByText("It will be published on")).toBeVisible();
  await runInServer(city.dataDir, ["events", "reject", id]);
  await ana.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(
    ana.getByText("A newsroom command rejected this event.", { exact: true }),
  ).toBeVisible();
  await expect(ana.getByText("The event is not on the site now.")).toBeVisible();
  await expect(ana.getByText("It will be published on")).toHaveCount(0);

  // A press before the page has learned what happened publishes nothing, and says so.
  const pressBeforeIt = async () => {
    await ana.getByText("Publish …").click();
    await ana.getByRole("button", { name: "Publish now" }).click();
  };
  const yet = "Nothing was published or scheduled yet: press the button again.";
  let release = await holdSaves(ana);
  await runInServer(city.dataDir, ["events", "edit", id, "--location", "Pier 6"]);
  const refused = ana.waitForResponse(
    (response) => response.url().includes("/desk/write/") && response.status() === 409,
  );
  await pressBeforeIt();
  await refused;
  release();
  const edited = "A newsroom command edited this event. The form has it now.";
  await expect(ana.getByText(`${edited} ${yet}`)).toBeVisible();
  await expect(ana.locator("[name=location]")).toHaveValue("Pier 6");
  release = await holdSaves(ana);
  await runInServer(city.dataDir, ["events", "edit", id, "--location", "Pier 7"]);
  await ana.getByLabel("Title", { exact: true }).fill("Lantern Parade");
  await pressBeforeIt();
  release();
  await expect(ana.locator("[name=location]")).toHaveValue("Pier 7");
  await expect(ana.getByText(`${edited} ${yet}`)).toBeVisible();
  await pressBeforeIt();
  await ana.getByRole("link", { name: "Read it on the site" }).click();
  await expect(ana.getByRole("heading", { name: "Lantern Parade", level: 1 })).toBeVisible();
  await expect(ana.getByText("Pier 7").first()).toBeVisible();
});

test("a post, an event and changes to them are published without JavaScript", async ({
  browser,
}) => {
  const page = await signIn(browser, "ana", { javaScriptEnabled: false });
  const press = (name: string) => page.getByRole("button", { name }).click();
  await press("New post");
  await page.getByLabel("Title", { exact: true }).fill("An Evening on the Pier");
  await page.getByLabel("Text", { exact: true }).fill("Boats came in.");
  const photo = {
    name: "pier.jpg",
    mimeType: "image/jpeg",
    buffer: await createPhoto([1_200, 800]),
  };
  await page.getByLabel("Choose a photo").setInputFiles(photo);
  await page.getByLabel("Description").fill("The pier");
  await publish(page);
  // What was typed and the photo are kept.
  await expect(page.getByRole("link", { name: "Write a summary." })).toBeVisible();
  await page.getByLabel("Summary").fill("What we saw.");
  await publish(page);
  await page.getByRole("link", { name: "Read it on the site" }).click();
  await expect(page).toHaveURL(/\/blog\/an-evening-on-the-pier$/);
  await expect(page.getByRole("img", { name: "The pier" })).toBeVisible();

  await page.goto("/desk/write");
  await press("New event");
  const day = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10);
  const fields = {
    Title: "Concert on the Pier",
    "What happens there": "Bring a blanket.",
    Place: "Canton",
    Day: day,
    Starts: "19:00",
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByLabel("Category").selectOption({ index: 1 });
  await page.getByText("Publish …").click();
  await page.getByLabel("At a time").fill("2020-01-01T10:00");
  await press("Schedule");
  await expect(page.getByLabel("At a time")).toHaveValue("2020-01-01T10:00");
  await press("Publish now");
  await page.getByRole("link", { name: "Read it on the site" }).click();
  await expect(page.getByRole("heading", { name: "Concert on the Pier" })).toBeVisible();
  const event = page.url();
  await page.goto(`/desk/published/event/${event.split("/").at(-1)}`);
  await press("Edit");
  await expect(page.getByText("Readers still see the old version.")).toBeVisible();
  await page.getByLabel("Place").fill("Fells Point");
  await page.getByText("Publish …").click();
  await press("Publish the changes");
  await page.getByRole("link", { name: "Read it on the site" }).click();
  await expect(page).toHaveURL(event);
  await expect(page.getByRole("main")).toContainText("Fells Point");
});

test("a second press while a story is being published does nothing", async ({ browser }) => {
  const page = await signIn(browser, "ana");
  await page.getByRole("button", { name: "New story" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Lights on the Pier");
  await page.getByLabel("Text", { exact: true }).fill("They are on again.");
  await page.getByLabel("Section").selectOption("Community");
  await page.getByLabel("Summary").fill("The pier has light.");
  const stored = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let count = 0;
  await page.route(/\/desk\/write\/[^/]+\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    count += 1;
    const response = await route.fetch({ maxRedirects: 0 });
    stored.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  await publish(page);
  await stored.promise;
  await page.locator("button[name=intent][value=publish]").dispatchEvent("click");
  held.resolve();
  await expect(page.getByRole("link", { name: "Read it on the site" })).toBeVisible();
  expect(count).toBe(1);
});

test("a photo that cannot be read does not replace the one before, and an error is gone when its field is filled in", async ({
  browser,
}) => {
  const page = await signIn(browser, "ana");
  await page.getByRole("button", { name: "New story" }).click();
  const choose = (name: string, buffer: Buffer) =>
    page.locator("input[type=file][name=photo]").last().setInputFiles({
      name,
      mimeType: "image/jpeg",
      buffer,
    });
  await choose("ferry.jpg", await createPhoto([1_200, 800]));
  await page.getByLabel("Description", { exact: true }).fill("A ferry");
  await expect(page.locator("img.write-photo")).toBeVisible();
  await choose("broken.jpg", Buffer.from("not a photo"));
  await expect(page.getByText("We cannot read “broken.jpg”.")).toBeVisible();
  await expect(page.locator("img.write-photo")).toBeVisible();
  await expect(page.getByLabel("Description", { exact: true })).toHaveValue("A ferry");
  await publish(page);
  const error = page.locator("#title-error");
  await expect(error).toHaveText("Type a title.");
  await page.getByLabel("Title", { exact: true }).fill("Ferry");
  await expect(error).toHaveCount(0);
  await expect(page.locator("#excerpt-error")).toBeVisible();
});

test("a photo that cannot be sent is not lost and holds the story back, also if the browser stores nothing", async ({
  browser,
}) => {
  const page = await signIn(browser, "ana");
  await page.getByRole("button", { name: "New story" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Gulls on the Pier");
  await page.getByLabel("Text", { exact: true }).fill("They are loud.");
  await page.getByLabel("Section").selectOption("Community");
  await page.getByLabel("Summary").fill("The pier has gulls.");
  await page.evaluate(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("Blocked", "SecurityError");
    };
  });
  await page.route("**/desk/write/*/images", (route) => route.fulfill({ status: 503 }));
  await page
    .locator("input[type=file][name=photo]")
    .last()
    .setInputFiles({
      name: "gulls.jpg",
      mimeType: "image/jpeg",
      buffer: await createPhoto([1_200, 800]),
    });
  await page.getByLabel("Description", { exact: true }).fill("Three gulls");
  await publish(page);
  const waits = page.getByText("Nothing was published, because a photo could not be sent yet.");
  await expect(waits).toBeVisible();
  await page.unroute("**/desk/write/*/images");
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.getByRole("link", { name: "Read it on the site" }).click();
  await expect(page.getByRole("img", { name: "Three gulls" })).toBeVisible();
});

test("a draft that is too long to be saved can be unscheduled and deleted", async ({ browser }) => {
  const page = await signIn(browser, "ana");
  await page.getByRole("button", { name: "New story" }).click();
  await page.getByLabel("Title", { exact: true }).fill("A long story");
  const text = page.getByLabel("Text", { exact: true });
  await text.fill("It begins.");
  await page.getByLabel("Section").selectOption("Community");
  await page.getByLabel("Summary").fill("It does not end.");
  await page.getByText("Publish …").click();
  await page.locator("[name=publishAt]").fill("2099-01-01T12:00");
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  const scheduled = page.getByText("It will be published on");
  await expect(scheduled).toBeVisible();
  const long = "word ".repeat(60_000);
  await text.fill(long);
  await expect(page.getByText("This is too long to be saved.")).toBeVisible();
  await page.getByRole("button", { name: "Unschedule" }).click();
  await expect(scheduled).toHaveCount(0);
  await expect(text).toHaveValue(long);
  await page.getByText("Delete this draft").click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();
  await expect(page.getByRole("heading", { name: "Write" })).toBeVisible();
  await expect(page.getByText("A long story")).toHaveCount(0);
});

test("a story with a photo is written on a phone and published, although the line, the tab and the server are lost", async ({
  browser,
}) => {
  const page = await signIn(browser, "ana");
  const context = page.context();
  await page.getByRole("button", { name: "New story" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Ferry Returns to Canton");
  const text = page.getByLabel("Text", { exact: true });
  await text.fill("The first boat left at seven.");
  await expect(page.getByText(/^Saved \d/)).toBeVisible();
  const draft = page.url();

  // The photo is taken where there is no network, and the tab is closed.
  await context.setOffline(true);
  await text.press("End");
  await text.pressSequentially(" It was full.");
  const photo = { name: "ferry.jpg", mimeType: "image/jpeg", buffer: await createPhoto() };
  await page.getByLabel("Take a photo").setInputFiles(photo);
  await page.getByLabel("Description").fill("A ferry");
  await expect(page.getByText("Not saved: no connection. It is on this device.")).toBeVisible();
  await page.evaluate(() => history.back());
  await expect(page.getByText("There is no connection, so this page stays open.")).toBeVisible();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Ferry Returns to Canton");
  await publish(page);
  await page.getByRole("link", { name: "Published" }).click();
  await expect(text).toHaveValue("The first boat left at seven. It was full.");
  await page.close();
  await context.setOffline(false);
  const opened = await context.newPage();
  await opened.goto(draft);
  const line = opened.getByLabel("Text", { exact: true });
  await expect(line).toHaveValue("The first boat left at seven. It was full.");
  await expect(opened.getByText(/^Saved \d/)).toBeVisible();
  await expect(opened.locator("img.write-photo")).toBeVisible();

  // The server ends while the editor types, and comes back.
  await line.press("End");
  await line.pressSequentially(" More boats");
  await city.server.stop("SIGKILL");
  await line.pressSequentially(" will follow.");
  await expect(opened.getByText("Not saved: no connection.")).toBeVisible();
  await publish(opened);
  const lost = opened.getByText("There is no connection, so this page stays open.");
  await expect(lost).toBeVisible();
  restarted = await startServer({
    DATA_DIR: city.dataDir,
    SITES_DIR: join(city.siteFolder, ".."),
    PORT: new URL(city.server.url).port,
  });
  await expect(lost).toBeHidden();
  await opened.reload();
  await expect(line).toHaveValue(/ It was full\. More boats will follow\.$/);
  await expect(opened.getByText(/^Saved \d/)).toBeVisible();
  const width = () => opened.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(phone.width);
  expect((await createAxe(opened).analyze()).violations).toEqual([]);

  await publish(opened);
  await opened.getByRole("link", { name: "Choose a section." }).click();
  await opened.getByLabel("Section").selectOption("Neighborhoods");
  await opened.getByLabel("Summary").fill("The harbor has a ferry again.");
  await publish(opened);
  await expect(opened.getByRole("link", { name: "Read it on the site" })).toBeVisible();
  await opened.evaluate(() => history.back());
  await expect(opened.getByRole("heading", { name: "This draft was published." })).toBeVisible();
  await opened.getByRole("link", { name: "Read it or edit it" }).click();
  await opened.getByRole("link", { name: "Open on the site" }).click();
  await expect(opened.getByRole("main")).toContainText("More boats will follow.");
  await expect(opened.getByRole("img", { name: "A ferry" })).toBeVisible();
  const read = async (path: string) => (await context.request.get(path)).text();
  for (const path of ["/", "/news", "/stories", "/local", "/feeds/stories.xml"])
    await expect.poll(() => read(path), path).toContain("Ferry Returns to Canton");
});

test("if the server fails, an editor reads that, and not that the connection failed", async ({
  browser,
}) => {
  const page = await signIn(browser, "ana");
  const failed = page.getByText("Something went wrong on our server.");
  await page.getByRole("button", { name: "New story" }).click();
  const title = page.getByLabel("Title", { exact: true });
  await title.fill("Not stored");
  await expect(page.getByText("Not saved: the server could not store it.")).toBeVisible();
  await title.fill("Not published");
  await page.getByLabel("Text", { exact: true }).fill("What we know.");
  await page.getByLabel("Section").selectOption("Community");
  await page.getByLabel("Summary").fill("A storm.");
  await publish(page);
  await expect(failed).toBeVisible();
  await expect(title).toHaveValue("Not published");
  await page.goto("/desk/published/story/marble-steps");
  const correction = page.getByLabel("What was wrong, and what is right");
  await correction.fill("Not stored");
  await page.getByRole("button", { name: "Publish the correction" }).click();
  await expect(failed).toBeVisible();
  await expect(correction).toHaveValue("Not stored");
});
