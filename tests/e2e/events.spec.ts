import { desktop, expect, phone, test, waitForHydration } from "./support.ts";

test("the events wall is taller than wide and scrolls with the keyboard, next to two history links and a submit link", async ({
  page,
}) => {
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    await page.goto("/events");
    const box = await page.getByRole("region", { name: "Events", exact: true }).boundingBox();
    expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(16 / 9, 1);
  }
  const wall = page.getByRole("region", { name: "Events", exact: true });
  expect(await wall.getByRole("article").count()).toBeGreaterThanOrEqual(8);
  await waitForHydration(page);
  await wall.focus();
  // On a busy machine Chromium drops a key press between two layouts, so the test presses it again.
  await expect(async () => {
    await page.keyboard.press("End");
    const isAtEnd = (box: Element) =>
      box.scrollTop > 500 && box.scrollTop + box.clientHeight > box.scrollHeight - 2;
    await expect.poll(() => wall.evaluate(isAtEnd), { timeout: 2_000 }).toBe(true);
  }).toPass();
  const position = await wall.evaluate((box) => box.scrollTop);
  await wall.getByRole("link").last().click();
  await expect(page).toHaveURL(/\/events\/./);
  await page.goBack();
  await expect.poll(() => wall.evaluate((box) => box.scrollTop)).toBe(position);

  const main = page.getByRole("main");
  for (const article of ["History_of_Baltimore", "Battle_of_Baltimore"]) {
    const link = main.locator(`a[href="https://en.wikipedia.org/wiki/${article}"]`);
    await expect(link).toHaveAttribute("target", "_blank");
  }
  await expect(main.getByRole("link", { name: "Submit an Event" })).toHaveAttribute(
    "href",
    "/events/submit",
  );
  await expect(main.locator(".ad-row")).toHaveCount(1);
});

test("on a phone the filters scroll in two rows, and the first event is visible without scrolling", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/events?category=community");
  await waitForHydration(page);
  const filters = page.getByRole("navigation", { name: "Filter events" });
  const rows = await filters.getByRole("list").all();
  expect(rows).toHaveLength(2);
  for (const row of rows) expect((await row.boundingBox())?.height).toBeLessThan(64);
  // The selected filter is the last in its row and is scrolled into view.
  await expect(filters.getByRole("link", { name: "Community" })).toBeInViewport({ ratio: 1 });
  await filters.getByRole("link", { name: "All categories" }).focus();
  await expect(filters.getByRole("link", { name: "All categories" })).toBeInViewport({ ratio: 1 });
  await page.goto("/events");
  const firstEvent = page
    .getByRole("region", { name: "Events", exact: true })
    .getByRole("article")
    .first();
  await expect(firstEvent.getByRole("heading")).toBeInViewport({ ratio: 1 });
  await expect(firstEvent.getByText(/\d [AP]M/)).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
});

test("filters are links that can be combined, and an empty wall says so", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/events");
  await waitForHydration(page);
  const filters = page.getByRole("navigation", { name: "Filter events" });
  const wall = page.getByRole("region", { name: "Events", exact: true });
  await filters.getByRole("link", { name: "Family" }).click();
  await expect(page).toHaveURL("/events?category=family");
  await expect(page).toHaveTitle("Events: Family | Harborline Baltimore");
  await expect(wall.getByRole("article")).toHaveCount(2);
  await expect(wall.getByRole("article").getByText("Sample", { exact: true })).toHaveCount(2);
  await filters.getByRole("link", { name: "Free" }).click();
  await expect(page).toHaveURL("/events?free=1&category=family");
  await expect(page).toHaveTitle("Free events: Family | Harborline Baltimore");
  await expect(wall.getByRole("heading", { level: 3 })).toHaveText(["Story Time on the Round Rug"]);
  await page.getByRole("button", { name: "Follow Free events: Family" }).click();
  await expect(page.getByRole("link", { name: "Calendar file (.ics)" })).toHaveAttribute(
    "href",
    "/events.ics?free=1&category=family",
  );
  await page.keyboard.press("Escape");
  await filters.getByRole("link", { name: "Today" }).click();
  await expect(page).toHaveTitle("Free events today: Family | Harborline Baltimore");
  await expect(wall).toContainText("No events found");
  expect((await wall.boundingBox())?.height).toBeLessThan(400);

  // Loading the same URL directly gives the same page.
  const readMainText = () => page.getByRole("main").textContent();
  const textAfterClicks = await readMainText();
  await page.reload();
  await expect(page).toHaveTitle("Free events today: Family | Harborline Baltimore");
  expect(await readMainText()).toBe(textAfterClicks);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", /\/events$/);

  await page.emulateMedia({ forcedColors: "active" });
  const readColor = (name: string) =>
    filters.getByRole("link", { name }).evaluate((pill) => getComputedStyle(pill).backgroundColor);
  expect(await readColor("Family")).not.toBe(await readColor("Books"));
  await page.emulateMedia({ forcedColors: "none" });

  await waitForHydration(page);
  await wall.getByRole("link", { name: "See all events" }).click();
  await expect(page).toHaveURL("/events");
  await expect(page).toHaveTitle("Events in Baltimore | Harborline Baltimore");
  await expect(filters.getByRole("link", { name: "All dates" })).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("the month view is a table that readers navigate with arrow keys, and a date opens its day", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  await page.goto("/events");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Month view" }).click();
  await page.getByRole("link", { name: "Next month" }).click();
  const table = page.getByRole("table");
  await expect(table.locator("[aria-current=date]")).toHaveCount(0);
  await expect(table.getByRole("columnheader")).toHaveCount(7);
  await expect(table.getByRole("columnheader").first()).toHaveAccessibleName("Sunday");
  await expect(page.getByRole("main").getByRole("region")).toHaveCount(2);
  const days = table.locator("[data-day]");
  // Weekly samples always have dates in the next month.
  const firstDay = days.first();
  await firstDay.focus();
  await page.keyboard.press("ArrowRight");
  await expect(days.nth(1)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(firstDay).toBeFocused();
  await page.getByRole("link", { name: "Previous month" }).click();
  await expect(table.locator("[aria-current=date]")).toHaveCount(1);

  await page.setViewportSize({ width: 320, height: 640 });
  for (const heading of await table.getByRole("columnheader").all())
    expect(
      await heading.evaluate((cell) => cell.scrollWidth - cell.clientWidth),
    ).toBeLessThanOrEqual(0);
  const lastDay = days.last();
  const day = await lastDay.getAttribute("data-day");
  const name = (await lastDay.getAttribute("aria-label")) ?? "";
  const [, heading = "", count = ""] = /^(\w+, \w+ \d+): (\d+) events?$/.exec(name) ?? [];
  await lastDay.click();
  await expect(page).toHaveURL(`/events?day=${day}`);
  await expect(page).toHaveTitle(
    new RegExp(`^Events on ${heading}, \\d{4} \\| Harborline Baltimore$`),
  );
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`Events on ${heading}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(
    page.getByRole("region", { name: "Events", exact: true }).getByRole("article"),
  ).toHaveCount(Number(count));
  await page.goBack();
  await expect(table).toBeVisible();
  // A day that is not a valid date is ignored.
  for (const invalid of ["2026-02-30", "tomorrow"]) {
    await page.goto(`/events?day=${invalid}`);
    await expect(page).toHaveTitle("Events in Baltimore | Harborline Baltimore");
  }
});

test("an event page says when and where the event is, and links to calendars", async ({ page }) => {
  await page.goto("/events/open-mic");
  await waitForHydration(page);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Three-Minute Open Mic");
  await expect(main.getByText("7:30 PM – 10:30 PM")).toBeVisible();
  await expect(main.getByRole("link", { name: "Find it on a map" })).toHaveAttribute(
    "href",
    /openstreetmap\.org/,
  );
  await expect(main.getByRole("link", { name: "Calendar file (.ics)" })).toHaveAttribute(
    "href",
    "/events/open-mic/calendar.ics",
  );
  for (const name of ["Google Calendar", "Outlook.com", "Yahoo Calendar"])
    await expect(main.getByRole("link", { name })).toHaveAttribute("target", "_blank");
  await page.context().grantPermissions(["clipboard-write", "clipboard-read"]);
  const readPageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  const heightBefore = await readPageHeight();
  await main.getByRole("button", { name: "Share" }).click();
  await expect(main.getByText("Link copied.")).toBeVisible();
  expect(await readPageHeight()).toBe(heightBefore);
});

test("a reader who submits an event keeps what they typed when a field is missing, and is thanked once the form is complete", async ({
  page,
}) => {
  await page.goto("/events/submit");
  await waitForHydration(page);
  const form = page.locator("form").filter({ hasText: "Name of the event" });
  await form.evaluate((element: HTMLFormElement) => {
    element.noValidate = true;
  });
  await page.getByLabel("Name of the event").fill("Porch Concert");
  await page.getByLabel("Date").fill("2020-01-01");
  await page.getByLabel("Start time", { exact: true }).fill("18:00");
  await page.getByLabel("What happens there").fill("Three songs.");
  await page.getByLabel("Admission is free").check();
  await page.getByRole("button", { name: "Submit the Event" }).click();
  const summary = page.getByRole("group", { name: "3 fields need another look." });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link")).toHaveText([
    /where it is/,
    /or a later one/,
    /check this box/,
  ]);
  await expect(page.getByLabel("Name of the event")).toHaveValue("Porch Concert");
  await expect(page.getByLabel("Admission is free")).toBeChecked();
  const nextYear = new Date().getFullYear() + 1;
  await page.getByLabel("Date").fill(`${nextYear}-06-01`);
  await page.getByLabel("Where", { exact: true }).fill("Sample Street");
  await page.getByLabel(/real and open/).check();
  await page.waitForTimeout(2_100);
  await page.getByRole("button", { name: "Submit the Event" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeInViewport();
});
