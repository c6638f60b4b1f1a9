import { writeFile } from "node:fs/promises";
import type { FrameLocator, Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { startCity } from "../support/city.ts";
import { shareCity } from "./own-city.ts";
import { createAxe, expect, phone, test, waitForHydration } from "./support.ts";

const getCity = shareCity(test, () => startCity({}, { FAKE_NOW: new Date().toISOString() }));

let skippedMs = 0;
/**
 * Advances the server's clock, because it refuses forms that are sent within two seconds: no person
 * fills in a form that fast.
 */
async function waitLikeAPerson(minutes = 1): Promise<void> {
  skippedMs += minutes * 60_000;
  await getCity().server.setClock(new Date(Date.now() + skippedMs).toISOString());
}

const thanks = (page: Page | FrameLocator) => page.getByRole("heading", { name: "Thank You!" });

test.describe("the contact form", () => {
  const contactForm = (page: Page) => page.frameLocator('iframe[title="Send us a message"]');
  const sendButton = (page: Page | FrameLocator) =>
    page.getByRole("button", { name: "Send Message" });

  test("says thank you only when the message is stored", async ({ page }) => {
    await page.goto("/contact");
    const form = contactForm(page);
    const heightOf = async (selector: string) =>
      (await page.locator(selector).boundingBox())?.height;
    for (const [textSize, factor] of [
      ["200%", 2],
      ["", 1],
    ] as const) {
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, textSize);
      expect(await heightOf("iframe"), "the form").toBe(789 * factor);
      expect(await heightOf(".embed-poster"), "the map").toBe(400 * factor);
    }
    await expect(page.locator("[data-ad-type]").first()).toHaveCSS("min-height", "200px");
    await expect(form.getByLabel("What is it about?")).toHaveValue("local-news-and-community");

    await expect(form.locator("[popover=manual][data-live]"), "hydrated").toBeAttached();
    const [email, message] = [form.getByLabel("Your email"), form.getByLabel("Your message")];
    const text = "The crossing at the pier is dark.";
    await email.fill("nowhere");
    await message.fill(text);
    await waitLikeAPerson();
    await sendButton(form).click();
    await expect(form.getByRole("group", { name: "One field needs another look." })).toBeFocused();
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await expect(message).toHaveValue(text);
    await expect(thanks(form)).toHaveCount(0);
    await email.fill("reader@example.com");
    await waitLikeAPerson();
    const [limit, connection] = [
      "Too many requests from your internet connection.",
      /^We do not know whether your form reached us/,
    ];
    for (const [response, summary] of [
      [{ status: 429, body: limit }, limit],
      [null, connection],
      [{ status: 413, body: "<html><h1>413 Request Entity Too Large</h1></html>" }, connection],
      [{ status: 502, body: "Bad Gateway" }, connection],
    ] as const) {
      await page.route(/\/contact\/form\.data/, (route) =>
        response ? route.fulfill(response) : route.abort(),
      );
      await sendButton(form).click();
      await expect(form.getByRole("group", { name: summary })).toBeFocused();
      await expect(message).toHaveValue(text);
      await page.unrouteAll();
    }
    // If the phone is then offline, what the browser has stored stays.
    await page.context().setOffline(true);
    expect(await listUnsent(page)).toHaveLength(1);
    await page.context().setOffline(false);
    // The connection fails after the message is stored.
    await page.route(/\/contact\/form\.data/, (route) =>
      route.request().method() === "POST" ? route.continue() : route.abort(),
    );
    await sendButton(form).click();
    await expect(thanks(form)).toBeInViewport();
    const status = form.getByRole("status").filter({ hasText: "Thank You!" });
    await expect(status).toBeFocused();
    await expect(status).toHaveCSS("outline-style", "none");
    await page.unrouteAll();
    await form.getByRole("link", { name: "Write another message" }).click();
    await expect(message).toHaveValue("");
  });

  test("about a story stays about it for another message, and no longer from the menu", async ({
    page,
  }) => {
    await page.goto("/contact?about=%2Fnews%2Fmarble-steps&category=tip");
    const form = contactForm(page);
    const category = form.getByLabel("What is it about?");
    const story = form.getByText(/\/news\/marble-steps$/);
    await waitForHydration(page);
    for (const text of ["The steps are new.", "The steps are old."]) {
      await expect(story).toBeVisible();
      await expect(category).toHaveValue("tip");
      await expect(form.locator("[popover=manual][data-live]"), "hydrated").toBeAttached();
      await form.getByLabel("Your message").fill(text);
      await waitLikeAPerson();
      await sendButton(form).click();
      await expect(thanks(form)).toBeVisible();
      if (text.includes("new"))
        await form.getByRole("link", { name: "Write another message" }).click();
    }
    await page.getByRole("contentinfo").locator('a[href="/contact"]').first().click();
    await expect(category).toHaveValue("local-news-and-community");
    await expect(story).toHaveCount(0);
  });

  test("is sent in the end, even if the browser fills in the field that only bots see", async ({
    page,
  }) => {
    await page.goto("/contact/form");
    await waitForHydration(page);
    await page.getByLabel("Your message").fill("My browser fills in everything.");
    await page.locator("input[name=website]").evaluate((field: HTMLInputElement) => {
      field.value = "https://reader.example";
    });
    await waitLikeAPerson();
    await sendButton(page).click();
    await expect(page.getByText(/^A hidden field was filled in/)).toBeVisible();
    await sendButton(page).click();
    await expect(thanks(page)).toBeVisible();
  });

  test("can be filled in with only the keyboard", async ({ page }) => {
    await page.goto("/contact/form");
    await waitForHydration(page);
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("What is it about?")).toBeFocused();
    for (const label of ["Your name", "Your email", "Your message"]) {
      await page.keyboard.press("Tab");
      await expect(page.getByLabel(label)).toBeFocused();
    }
    await page.keyboard.type("By keyboard.");
    await page.keyboard.press("Tab");
    await expect(sendButton(page)).toBeFocused();
    await waitLikeAPerson();
    await page.keyboard.press("Enter");
    await expect(thanks(page)).toBeVisible();
  });

  test("grows with the mistakes that it reports, so that its button stays in reach on a phone", async ({
    page,
  }) => {
    await page.setViewportSize(phone);
    await page.goto("/contact?about=/news/marble-steps");
    await waitForHydration(page);
    const form = contactForm(page);
    await expect(form.locator("[popover=manual][data-live]"), "hydrated").toBeAttached();
    await form.getByLabel("Your email").fill("nowhere");
    await waitLikeAPerson();
    await sendButton(form).click();
    await expect(form.getByRole("link", { name: "Please write your message." })).toBeVisible();
    const hiddenHeight = () =>
      form.locator("html").evaluate((root) => root.scrollHeight - root.clientHeight);
    await expect.poll(hiddenHeight).toBe(0);

    await page.goto("/contact");
    await waitForHydration(page);
    const height = () => page.locator("iframe").evaluate(({ clientHeight }) => clientHeight);
    const usual = await height();
    await page.setViewportSize({ width: 240, height: 400 });
    await expect.poll(height).toBeGreaterThan(usual);
    await page.setViewportSize(phone);
    await expect.poll(height).toBe(usual);
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("works, and says what is missing as often as the reader sends it", async ({ page }) => {
      await page.goto("/contact");
      const form = contactForm(page);
      for (const category of ["News tip", "Correction"]) {
        await form.getByLabel("What is it about?").selectOption(category);
        // The page before it looks the same.
        const answered = page.waitForEvent("framenavigated");
        await sendButton(form).click();
        await answered;
        await expect(form.getByRole("link", { name: "Please write your message." })).toBeVisible();
        await expect(
          sendButton(form),
          "also on a page that is as high as the form",
        ).toBeInViewport();
        await expect(form.locator("option:checked")).toHaveText(category);
      }
      await form.getByLabel("Your message").fill("Without scripts.");
      await waitLikeAPerson();
      await sendButton(form).click();
      await expect(thanks(form)).toBeVisible();
    });
  });

  test.describe("in the low-data edition", () => {
    test.use({ extraHTTPHeaders: { "Save-Data": "on" } });

    test("is a page of its own, and the reader stays in the edition", async ({ page }) => {
      const expectAccessible = async () =>
        expect((await createAxe(page).analyze()).violations).toEqual([]);
      await page.goto("/contact");
      await expectAccessible();
      await page.getByRole("link", { name: "Send us a message" }).click();
      await page.getByLabel("Your message").fill("The bus stop has a new roof.");
      await expectAccessible();
      await waitLikeAPerson();
      await sendButton(page).click();
      await expect(thanks(page)).toBeVisible();
      await expect(page).toHaveURL(/edition=light/);
      await expectAccessible();
    });
  });
});

test.describe("a reader's story", () => {
  const createPhoto = () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: "#777" } })
      .png()
      .toBuffer();

  test("with missing fields is refused without losing any input, files included, and is stored once after the corrections", async ({
    page,
  }) => {
    const photo = { name: "cat.png", mimeType: "image/png", buffer: await createPhoto() };
    await openStoryForm(page);
    await page.getByLabel("Your story").fill("It began with a cat.");
    const photos = page.getByLabel("Photos (optional)");
    const descriptions = page.getByLabel(/Image description/);
    await expect(descriptions.filter({ visible: true })).toHaveCount(0);
    const bad = { ...photo, name: "bad.png", buffer: Buffer.from("<svg/>") };
    await photos.setInputFiles([bad, photo]);
    await descriptions.nth(1).fill("A cat");
    await expect(page.locator("canvas").nth(1)).toHaveAttribute("height", "240");
    // The page reports a file that is too large before anything is sent.
    const tooLarge = test.info().outputPath("huge.png");
    await writeFile(tooLarge, Buffer.alloc(8 * 1024 * 1024 + 1));
    await photos.setInputFiles(tooLarge);
    await expect(page.getByText("a photo can have up to 8 MB: huge.png")).toBeVisible();
    await submit(page).click();
    const summary = page.getByRole("group", { name: "3 fields need another look." });
    await expect(summary).toBeFocused();
    await expect(page.getByRole("alert"), "an alert would be read twice").toHaveCount(0);
    await expect(summary.getByRole("link")).toHaveText([
      /title/,
      /cannot read “bad.png”/,
      /check this box/,
    ]);
    await summary.getByRole("link", { name: "cannot read “bad.png”" }).click();
    await expect(photos).toBeFocused();
    await expect(photos).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Your story")).toHaveValue("It began with a cat.");
    await expect(page.getByText("please choose them again")).toHaveCount(0);

    await page.getByRole("button", { name: "Remove bad.png" }).click();
    await expect(photos).toBeFocused();
    await expect(descriptions.first()).toHaveValue("A cat");
    await expect(descriptions.filter({ visible: true })).toHaveCount(1);
    await page.getByLabel("Title").fill("Длинная история");
    // A story can have 20,000 characters in any script.
    await page.getByLabel("Your story").fill("й".repeat(20_000));
    const consent = page.getByLabel(/my own work/);
    const box = await consent.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await consent.check();
    await waitLikeAPerson();
    // The photo that was chosen before the refusal is still selected.
    await expect(photos).toHaveValue(/cat\.png$/);
    const progress = page.getByRole("progressbar");
    await page.route("**/community/submit.data", async (route) => {
      await expect(progress).toBeVisible();
      await route.continue();
    });
    await submit(page).dblclick();
    await expect(thanks(page)).toBeInViewport();
  });

  test("that the reader left and comes back to says that its photos must be chosen again, without their descriptions", async ({
    page,
  }) => {
    await page.setViewportSize(phone);
    const photos = page.getByLabel("Photos (optional)");
    const description = page.getByLabel(/Image description/).filter({ visible: true });
    const hint = page.getByText("If you chose photos before, please choose them again.");
    const choose = async (name: string) =>
      photos.setInputFiles({ name, mimeType: "image/png", buffer: await createPhoto() });
    await openStoryForm(page);
    await page.getByLabel("Title").fill("Fog");
    await choose("cat.png");
    await description.fill("A cat");
    await expect(hint).toHaveCount(0);
    for (const leave of [
      async () => {
        await page.getByRole("banner").getByRole("link", { name: "Harborline" }).click();
        await expect(page).toHaveURL("/");
        await page.goBack();
      },
      () => page.reload(),
    ]) {
      await leave();
      await expect(page.getByLabel("Title")).toHaveValue("Fog");
      await expect(hint).toBeVisible();
      await choose("dog.png");
      await expect(hint).toHaveCount(0);
      await expect(description).toHaveValue("");
    }
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("can be sent", async ({ page }) => {
      await page.goto("/community/submit");
      await page.getByLabel("Title").fill("Plain");
      await page.getByLabel("Your story").fill("Text.");
      await page.getByLabel("Photo 1: Image description").fill("Nothing yet");
      const file = { name: "cat.png", mimeType: "image/png" };
      const photo = page.getByLabel("Photos (optional)");
      await photo.setInputFiles({ ...file, buffer: Buffer.from("not an image") });
      await page.getByLabel(/my own work/).check();
      await submit(page).click();
      await expect(page.locator("#images-error")).toContainText("We cannot read “cat.png”.");
      await expect(page.getByText("please choose them again")).toBeVisible();
      await expect(page.getByLabel("Photo 1: Image description")).toHaveValue("Nothing yet");
      await photo.setInputFiles({ ...file, buffer: await createPhoto() });
      await waitLikeAPerson();
      await submit(page).click();
      await expect(thanks(page)).toBeInViewport();
    });
  });
});

test("a reader who submits an event keeps what they typed when a field is missing or they leave the page, and is thanked once the form is complete", async ({
  page,
}) => {
  await page.goto("/events/submit");
  await waitForHydration(page);
  await page.getByLabel("Name of the event").fill("Porch Concert");
  await page.getByLabel("Date").fill("2020-01-01");
  await page.getByLabel("Start time", { exact: true }).fill("18:00");
  await page.getByLabel("What happens there").fill("Three songs.");
  await page.getByLabel("Admission is free").check();
  const sendButton = page.getByRole("button", { name: "Submit the Event" });
  await sendButton.click();
  const summary = page.getByRole("group", { name: "3 fields need another look." });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link")).toHaveText([
    /where it is/,
    /or a later one/,
    /check this box/,
  ]);
  const expectTyped = async () => {
    await expect(page.getByLabel("Name of the event")).toHaveValue("Porch Concert");
    await expect(page.getByLabel("Admission is free")).toBeChecked();
  };
  await expectTyped();
  // A wrong tap loses nothing either.
  await page.getByRole("banner").getByRole("link", { name: "Harborline" }).click();
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expectTyped();
  for (const _ of ["once", "twice"]) {
    await page.reload();
    await expectTyped();
  }
  const nextYear = new Date().getFullYear() + 1;
  await page.getByLabel("Date").fill(`${nextYear}-06-01`);
  await page.getByLabel("Where", { exact: true }).fill("Sample Street");
  await page.getByLabel(/real and open/).check();
  await waitLikeAPerson();
  await sendButton.click();
  await expect(thanks(page)).toBeInViewport();
  await page.getByRole("banner").getByRole("link", { name: "Harborline" }).click();
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expect(page.getByLabel("Name of the event")).toHaveValue("");
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByLabel("Name of the event")).toHaveValue("");
  expect(await listUnsent(page)).toEqual([]);
  expect(await listTyped(page)).toEqual([]);
});

test("a form that was open for too long is accepted when the reader presses the button again", async ({
  page,
}) => {
  const fillEvent = async () => {
    await page.getByLabel("Name of the event").fill("Late Concert");
    await page.getByLabel("Where", { exact: true }).fill("Sample Street");
    await page.getByLabel("Date").fill(`${new Date().getFullYear() + 1}-06-01`);
    await page.getByLabel("Start time", { exact: true }).fill("18:00");
    await page.getByLabel("What happens there").fill("Three songs.");
    await page.getByRole("checkbox", { name: /real and open/ }).check();
  };
  for (const [path, fill] of [
    ["/contact/form", () => page.getByLabel("Your message").fill("Open since yesterday.")],
    ["/community/submit", () => writeStory(page, "A Long Night")],
    ["/events/submit", fillEvent],
  ] as const) {
    await page.goto(path);
    await waitForHydration(page);
    await fill();
    await waitLikeAPerson(13 * 60);
    await submit(page.getByRole("main")).click();
    await expect(page.getByText("This page has been open for a long time.")).toBeVisible();
    await submit(page.getByRole("main")).click();
    await expect(thanks(page), path).toBeVisible();
  }
});

const offer = /^You wrote this on \w+ \d+ at \d+:\d\d [AP]M and it was not sent\.$/;

async function openStoryForm(page: Page): Promise<void> {
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

const listTyped = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed.")));

const submit = (form: Page | Locator) => form.getByRole("button", { name: /^(Send|Submit)/ });

test.describe("an unsent form", () => {
  test("a story that is sent offline is stored on the device, offered again later, and sent only on request", async ({
    page,
    context,
  }) => {
    await openStoryForm(page);
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
    await expect(page.getByText("Your photos are not stored, but they stay")).toBeVisible();
    await expect(page.getByText(/choose (your photos|them) again/)).toHaveCount(0);
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
      await openStoryForm(each);
      await expect(each.getByText(offer)).toBeVisible();
      await expect(each.getByText("Please choose your photos again.")).toBeVisible();
    }
    expect((await createAxe(first).include("main").analyze()).violations).toEqual([]);
    await first.getByRole("button", { name: "Restore" }).press("Enter");
    await expect(first.getByLabel("Title")).toHaveValue("Fog on the Harbor");
    await expect(first.getByLabel("Your story")).toHaveValue(/a story about the harbor/);
    await expect(first.getByRole("checkbox")).toBeChecked();
    await expect(first.getByText("please choose them again")).toBeVisible();
    expect(requests).toEqual([]);
    await waitLikeAPerson();
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
    await openStoryForm(page);
    await page.getByLabel("Title").fill("Typed online");
    expect(await listUnsent(page)).toEqual([]);
    await context.setOffline(true);
    await page.getByLabel("Your story").pressSequentially("The ferry ");
    const readStored = () => page.evaluate(() => localStorage.getItem("unsent./community/submit"));
    await expect.poll(readStored).toContain("The ferry ");
    // A notice above the fields would move them while the reader types.
    await expect(page.getByText("What you wrote is stored on this device")).toHaveCount(0);
    await page.getByLabel("Your story").pressSequentially("is late.");
    expect(await readStored()).toContain("The ferry is late.");
    await context.setOffline(false);
    await page.close();

    const next = await context.newPage();
    await openStoryForm(next);
    await expect(next.getByText(offer)).toBeVisible();
    // Another text does not replace what is offered.
    await context.setOffline(true);
    await next.getByLabel("Your story").fill("Another story");
    await next.getByLabel("Your story").fill("");
    await context.setOffline(false);
    const photo = next.locator("input[type=file]").first();
    await photo.setInputFiles({
      name: "pier.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from("x"),
    });
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
    await openStoryForm(page);
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
    await openStoryForm(other);
    await other.getByRole("button", { name: "Delete" }).click();
    await expect(other.getByRole("button", { name: "Restore" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(0);
    await openStoryForm(page);
    await expect(page.getByRole("button", { name: "Restore" })).toHaveCount(0);
    expect(await listUnsent(page)).toEqual([]);
  });

  test("a text that is typed offline while another one is offered is stored when that is deleted, and again after it is restored", async ({
    page,
    context,
  }) => {
    const readStored = () => page.evaluate(() => localStorage.getItem("unsent./community/submit"));
    await openStoryForm(page);
    await context.setOffline(true);
    await page.getByLabel("Title").fill("High Tide");
    await expect.poll(() => listUnsent(page)).toHaveLength(1);
    await context.setOffline(false);
    await openStoryForm(page);
    await page.getByRole("checkbox").check();
    await context.setOffline(true);
    await page.getByLabel("Title").fill("Ebb");
    expect(await readStored()).toContain("High Tide");
    await page.getByRole("button", { name: "Delete" }).click();
    expect(await readStored()).toContain("Ebb");
    await context.setOffline(false);

    // Even if the reader first changes a box.
    await openStoryForm(page);
    await page.getByRole("button", { name: "Restore" }).click();
    await context.setOffline(true);
    await page.getByRole("checkbox").uncheck();
    await page.getByLabel("Title").fill("High Tide at Noon");
    expect(await readStored()).toContain("High Tide at Noon");
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
    expect(await listTyped(page)).toEqual([]);
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

  test("a message about one story is not offered for another one", async ({ page, context }) => {
    const formOf = (about: string) => `/contact/form?about=${encodeURIComponent(about)}`;
    const [story, other] = ["/news/marble-steps", "/news/lighthouse"];
    await page.goto(`${formOf(story)}&category=correction`);
    await waitForHydration(page);
    await context.setOffline(true);
    await page.getByLabel("Your message").fill("The steps are of marble from Cockeysville.");
    await submit(page.getByRole("main")).click();
    await expect(page.getByText("What you wrote is stored on this device")).toBeVisible();
    await context.setOffline(false);
    for (const path of [formOf(other), "/contact/form"]) {
      await page.goto(path);
      await waitForHydration(page);
      await page.getByLabel("Your message").fill("Hello");
      await expect(page.getByText(offer), path).toHaveCount(0);
    }
    // Nor as a news tip about the same story, of which nothing is stored, whatever it becomes.
    await page.goto(`${formOf(story)}&category=tip`);
    await waitForHydration(page);
    await page.getByLabel("Your message").fill("My boss hides something.");
    await expect(page.getByText(offer)).toHaveCount(0);
    await page.getByRole("combobox").selectOption("Correction");
    await context.setOffline(true);
    await submit(page.getByRole("main")).click();
    await expect(page.getByText("news tips are not stored on this device")).toBeVisible();
    await context.setOffline(false);
    await page.reload();
    await expect(page.getByRole("combobox")).toHaveValue("tip");
    await expect(page.getByLabel("Your message")).toHaveValue("");
    expect(await listUnsent(page)).toHaveLength(1);
    await page.goto(`/offline?for=${encodeURIComponent(`/contact?about=${story}`)}`);
    await expect(page.getByText(/^What you wrote at .* is stored on this device/)).toBeVisible();
    await page.goto(formOf(story));
    await expect(page.getByText(offer)).toBeVisible();
    await page.getByRole("button", { name: "Restore" }).click();
    await waitLikeAPerson();
    await submit(page.getByRole("main")).click();
    await expect(thanks(page)).toBeVisible();
    expect(await listUnsent(page)).toEqual([]);
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
    await expect.poll(() => listUnsent(page)).toEqual([]);
    await page.evaluate((items) => Object.assign(localStorage, items), stored);
    // Tabs can have different processes, which learn of a change a moment later.
    await expect.poll(() => listUnsent(other)).toHaveLength(1);
    await other.getByRole("combobox").selectOption("News tip");
    await expect.poll(() => listUnsent(other)).toEqual([]);
  });
});
