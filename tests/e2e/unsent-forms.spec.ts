import type { Locator, Page } from "@playwright/test";
import { createAxe, expect, test, waitForHydration } from "./support.ts";

const offer = /^You wrote this on \w+ \d+ at \d+:\d\d [AP]M and it was not sent\.$/;

async function openForm(page: Page): Promise<void> {
  await page.goto("/community/submit");
  await waitForHydration(page);
}

async function writeStory(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Your story").fill(`${title}: a story about the harbor. `.repeat(5));
  await page.getByRole("checkbox").check();
}

const listUnsent = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("unsent.")));

const submit = (form: Page | Locator) => form.getByRole("button", { name: /^(Send|Submit)/ });

test("a story that is sent offline is stored on the device, offered again later, and sent only on request", async ({
  page,
  context,
}) => {
  await openForm(page);
  await writeStory(page, "Fog on the Harbor");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "pier.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from("not a real photo"),
    });
  await context.setOffline(true);
  await submit(page.getByRole("main")).click();
  await expect(page.getByText("You seem to be offline, so this was not sent.")).toBeVisible();
  await expect(page.getByText("What you wrote is stored on this device")).toBeVisible();
  await expect(page.getByText("We kept this page open")).toHaveCount(0);
  await expect(page.getByLabel("Title")).toHaveValue("Fog on the Harbor");
  const stored = await page.evaluate(() => localStorage.getItem("unsent./community/submit"));
  expect(stored).toContain("a story about the harbor");
  expect(stored).not.toMatch(/token|website|not a real photo/);
  await context.setOffline(false);
  await page.close();

  const [first, second] = [await context.newPage(), await context.newPage()];
  const requests: string[] = [];
  for (const each of [first, second]) {
    each.on("request", (request) => {
      if (request.method() === "POST") requests.push(request.url());
    });
    await openForm(each);
    await expect(each.getByText(offer)).toBeVisible();
    await expect(each.getByText("Please choose your photos again.")).toBeVisible();
  }
  expect((await createAxe(first).analyze()).violations).toEqual([]);
  await first.getByRole("button", { name: "Restore" }).press("Enter");
  await expect(first.getByLabel("Title")).toHaveValue("Fog on the Harbor");
  await expect(first.getByLabel("Your story")).toHaveValue(/a story about the harbor/);
  await expect(first.getByRole("checkbox")).toBeChecked();
  expect(requests).toEqual([]);
  await submit(first.getByRole("main")).click();
  await expect(first.getByRole("heading", { level: 1, name: /Thank/ })).toBeVisible();
  // The other tab no longer offers what was sent.
  await expect(second.getByText(offer)).toHaveCount(0);
  expect(await listUnsent(first)).toEqual([]);
});

test("what a reader types offline is stored before the button is pressed, and nothing while online", async ({
  page,
  context,
}) => {
  await openForm(page);
  await page.getByLabel("Title").fill("Typed online");
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  expect(await listUnsent(page)).toEqual([]);
  await context.setOffline(true);
  await page.getByLabel("Your story").pressSequentially("The ferry ");
  const readStored = () => page.evaluate(() => localStorage.getItem("unsent./community/submit"));
  await expect.poll(readStored).toContain("The ferry ");
  // A notice above the fields would move them while the reader types.
  await expect(page.getByText("What you wrote is stored on this device")).toHaveCount(0);
  await page.getByLabel("Your story").pressSequentially("is late.");
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  expect(await readStored()).toContain("The ferry is late.");
  await context.setOffline(false);
  await page.close();

  const next = await context.newPage();
  await openForm(next);
  await expect(next.getByText(offer)).toBeVisible();
  // Another text does not replace what is offered.
  await context.setOffline(true);
  await next.getByLabel("Your story").fill("Another story");
  await next.evaluate(() => dispatchEvent(new Event("pagehide")));
  await next.getByLabel("Your story").fill("");
  await context.setOffline(false);
  const photo = next.locator("input[type=file]").first();
  await photo.setInputFiles({ name: "pier.jpg", mimeType: "image/jpeg", buffer: Buffer.from("x") });
  await next.getByRole("button", { name: "Restore" }).click();
  await expect(next.getByLabel("Your story")).toHaveValue("The ferry is late.");
  await expect(next.getByLabel("Title")).toHaveValue("Typed online");
  await expect(photo).toHaveValue(/pier\.jpg$/);
  await expect(next.getByRole("button", { name: "Restore" })).toHaveCount(0);
  await next.goto("/offline?for=%2Fcommunity%2Fsubmit");
  await expect(
    next.getByText(/^What you wrote at \d+:\d\d [AP]M.* is stored on this device and will be/),
  ).toBeVisible();
});

test("a reader can delete an unsent form, and one whose connection broke is offered too", async ({
  page,
  context,
}) => {
  await openForm(page);
  await writeStory(page, "Low Tide");
  await page.route("**/community/submit.data*", (route) =>
    route.request().method() === "POST" ? route.abort("connectionreset") : route.continue(),
  );
  await submit(page.getByRole("main")).click();
  await expect(page.getByText("We do not know whether your form reached us.")).toBeVisible();
  await expect(page.getByText("What you wrote is stored on this device")).toBeVisible();
  await page.goto("/about");
  await page.goBack();
  await expect(page.getByText("and we do not know whether it reached us.")).toBeVisible();
  const other = await context.newPage();
  await openForm(other);
  await other.getByRole("button", { name: "Delete" }).click();
  await expect(other.getByRole("button", { name: "Restore" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(0);
  await openForm(page);
  await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(0);
  expect(await listUnsent(page)).toEqual([]);
});

test("a text that is typed offline while another one is offered is stored when that is deleted", async ({
  page,
  context,
}) => {
  await openForm(page);
  await context.setOffline(true);
  await page.getByLabel("Title").fill("High Tide");
  await expect.poll(() => listUnsent(page)).toHaveLength(1);
  await context.setOffline(false);
  await openForm(page);
  await context.setOffline(true);
  await page.getByLabel("Title").fill("Ebb");
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  const readStored = () => page.evaluate(() => localStorage.getItem("unsent./community/submit"));
  expect(await readStored()).toContain("High Tide");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  expect(await readStored()).toContain("Ebb");
  await context.setOffline(false);
});

test("a restored form is stored while the reader types, even if a box is changed first", async ({
  page,
  context,
}) => {
  await openForm(page);
  await page.getByRole("checkbox").check();
  await context.setOffline(true);
  await page.getByLabel("Title").fill("High Tide");
  await expect.poll(() => listUnsent(page)).toHaveLength(1);
  await context.setOffline(false);
  await openForm(page);
  await page.getByRole("button", { name: "Restore" }).click();
  await context.setOffline(true);
  await page.getByRole("checkbox").uncheck();
  await page.getByLabel("Title").fill("High Tide at Noon");
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  const stored = await page.evaluate(() => localStorage.getItem("unsent./community/submit"));
  expect(stored).toContain("High Tide at Noon");
  await context.setOffline(false);
});

test("the contact form in its iframe stores a message too, but not a news tip, and says if it cannot", async ({
  page,
  context,
}) => {
  await page.goto("/contact");
  const form = page.frameLocator("iframe");
  const message = form.getByRole("textbox", { name: "Your message" });
  await message.fill("The bridge is closed.");
  await expect(form.locator("[popover=manual][data-live]"), "hydrated").toBeAttached();
  await context.setOffline(true);
  await submit(form.getByRole("main")).click();
  await expect(form.getByText("What you wrote is stored on this device")).toBeVisible();
  await form.getByRole("button", { name: "Delete from this device" }).click();
  await message.fill("The bridge is closed again.");
  await expect.poll(() => listUnsent(page)).toHaveLength(1);
  await form.getByRole("combobox").selectOption("News tip");
  await expect.poll(() => listUnsent(page), "a message that became a tip").toEqual([]);
  await submit(form.getByRole("main")).click();
  await expect(form.getByText("news tips are not stored on this device")).toBeVisible();
  expect(await listUnsent(page)).toEqual([]);

  await form.getByRole("combobox").selectOption("Correction");
  await form.locator("body").evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await submit(form.getByRole("main")).click();
  await expect(form.getByText("Your browser cannot store what you wrote.")).toBeVisible();
  await expect(message).toHaveValue("The bridge is closed again.");
  await context.setOffline(false);
});

test("choosing News tip deletes what is stored, even if the connection is back", async ({
  page,
  context,
}) => {
  await page.goto("/contact/form");
  await waitForHydration(page);
  await context.setOffline(true);
  await page.getByRole("textbox", { name: "Your message" }).fill("My boss hides something.");
  await expect.poll(() => listUnsent(page)).toHaveLength(1);
  await context.setOffline(false);
  // In the same page, and in one that only offers the text.
  const other = await context.newPage();
  await other.goto("/contact/form");
  await waitForHydration(other);
  await expect(other.getByText(offer)).toBeVisible();
  const stored = await page.evaluate(() => ({ ...localStorage }));
  await page.getByRole("combobox").selectOption("News tip");
  expect(await listUnsent(page)).toEqual([]);
  await page.evaluate((items) => Object.assign(localStorage, items), stored);
  expect(await listUnsent(page)).toHaveLength(1);
  await other.getByRole("combobox").selectOption("News tip");
  expect(await listUnsent(other)).toEqual([]);
});
