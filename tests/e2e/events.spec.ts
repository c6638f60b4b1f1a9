import { desktop, expect, hydrated, phone, test } from "./support.ts";

test("the wall is taller than wide, scrolls by the keyboard, and has what belongs beside it", async ({
  page,
}) => {
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    await page.goto("/events");
    const box = await page.getByRole("region", { name: "Events wall" }).boundingBox();
    expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(16 / 9, 1);
  }
  const wall = page.getByRole("region", { name: "Events wall" });
  expect(await wall.getByRole("article").count()).toBeGreaterThanOrEqual(15);
  await hydrated(page);
  await wall.focus();
  await page.keyboard.press("End");
  await expect.poll(() => wall.evaluate((box) => box.scrollTop)).toBeGreaterThan(500);

  const main = page.getByRole("main");
  for (const article of ["History_of_Baltimore", "Battle_of_Baltimore"]) {
    const link = main.locator(`a[href="https://en.wikipedia.org/wiki/${article}"]`);
    await expect(link).toHaveAttribute("target", "_blank");
  }
  await expect(main.getByRole("link", { name: "Submit an Event" })).toHaveAttribute("href", "/events/submit");
  await expect(main.locator(".ad-row")).toHaveCount(1);
});

test("filters are links that add up, and an empty wall says so", async ({ page }) => {
  await page.goto("/events");
  await hydrated(page);
  const filters = page.getByRole("navigation", { name: "Which events" });
  const wall = page.getByRole("region", { name: "Events wall" });
  await filters.getByRole("link", { name: "Music" }).click();
  await expect(page).toHaveURL("/events?category=music");
  await expect(wall.getByRole("article")).toHaveCount(3);
  await filters.getByRole("link", { name: "Free" }).click();
  await expect(page).toHaveURL("/events?free=1&category=music");
  await expect(wall.getByRole("heading", { level: 3 })).toHaveText(["Jazz on the Square"]);
  await expect(page.getByRole("link", { name: "These events as a calendar" })).toHaveAttribute(
    "href",
    "/events.ics?free=1&category=music",
  );
  await filters.getByRole("link", { name: "Today" }).click();
  await expect(wall).toContainText("Nothing on the wall");
  await wall.getByRole("link", { name: "See all events" }).click();
  await expect(page).toHaveURL("/events");
  await expect(filters.getByRole("link", { name: "All dates" })).toHaveAttribute("aria-current", "true");
});

test("the month is a table that arrow keys lead through", async ({ page }) => {
  await page.setViewportSize(desktop);
  await page.goto("/events");
  await hydrated(page);
  await page.getByRole("link", { name: "Month view" }).click();
  await page.getByRole("link", { name: "Next month" }).click();
  const table = page.getByRole("table");
  await expect(table.locator("[aria-current=date]")).toHaveCount(0);
  await expect(table.getByRole("columnheader")).toHaveCount(7);
  const days = table.locator("[data-day]");
  // Weekly samples reach into next month, whatever day it is.
  const first = days.first();
  await first.focus();
  await page.keyboard.press("ArrowRight");
  await expect(days.nth(1)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(first).toBeFocused();
  await page.keyboard.press("Enter");
  const day = await first.getAttribute("data-day");
  await expect(page.locator(`#day-${day}`)).toBeInViewport();
  await page.getByRole("link", { name: "Previous month" }).click();
  await expect(table.locator("[aria-current=date]")).toHaveCount(1);
});

test("an event says when and where, and goes into any calendar", async ({ page }) => {
  await page.goto("/events/open-mic");
  await hydrated(page);
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
  await page.getByRole("button", { name: "Share the link" }).click();
  await expect(main.getByText("The link is copied.")).toBeVisible();
});

test("an event that a reader sends comes back whole when something is missing, and is thanked for", async ({
  page,
}) => {
  await page.goto("/events/submit");
  await hydrated(page);
  const form = page.locator("form").filter({ hasText: "Name of the event" });
  await form.evaluate((element: HTMLFormElement) => {
    element.noValidate = true;
  });
  await page.getByLabel("Name of the event").fill("Porch Concert");
  await page.getByLabel("Date").fill("2020-01-01");
  await page.getByLabel("From", { exact: true }).fill("18:00");
  await page.getByLabel("What happens there").fill("Three songs.");
  await page.getByLabel("It costs nothing").check();
  await page.getByRole("button", { name: "Send the Event" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toBeFocused();
  await expect(alert.getByRole("link")).toHaveText([/where it is/, /still to come/, /tick this box/]);
  await expect(page.getByLabel("Name of the event")).toHaveValue("Porch Concert");
  await expect(page.getByLabel("It costs nothing")).toBeChecked();
  const nextYear = new Date().getFullYear() + 1;
  await page.getByLabel("Date").fill(`${nextYear}-06-01`);
  await page.getByLabel("Where", { exact: true }).fill("Sample Street");
  await page.getByLabel(/real and open/).check();
  await page.waitForTimeout(2_100);
  await page.getByRole("button", { name: "Send the Event" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeInViewport();
});
