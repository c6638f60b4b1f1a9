import { test as bare, type Page } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { expect, hydrated, test } from "./support.ts";

const form = (page: Page) => page.frameLocator('iframe[title="Send us a message"]');
/** Nobody fills in a form within two seconds, and our server knows it. */
const likeAPerson = (page: Page) => page.waitForTimeout(2_100);

test("all ways to reach us are on the page", async ({ page }) => {
  await page.goto("/contact");
  const main = page.getByRole("main");
  await expect(
    main.getByRole("link", { name: "hello@baltimore.harborline.example" }),
  ).toHaveAttribute("href", "mailto:hello@baltimore.harborline.example");
  await expect(main.getByRole("link", { name: "tips@baltimore.harborline.example" })).toBeVisible();
  await expect(main.getByRole("link", { name: "410-555-0142" })).toHaveAttribute(
    "href",
    "tel:+14105550142",
  );
  await expect(main.getByRole("link", { name: "410-555-0177" })).toBeVisible();
  await expect(main).toContainText("100 Sample Wharf");
  await expect(main.getByText("Monday-Friday 9am-5pm")).toBeVisible();
  await expect(main.getByRole("link", { name: /^Facebook/ })).toBeVisible();
  await expect(
    main.getByRole("heading", { name: /confidential when you send a tip/ }),
  ).toBeVisible();
  await expect(page.locator("[data-ad-type]")).toHaveCount(2);
  await expect(page.locator("[data-ad-type]").first()).toHaveCSS("min-height", "200px");
});

test("the form is 789 px high with its category preset, the map 400 px and asked for by nobody", async ({
  page,
}) => {
  await page.goto("/contact");
  expect((await page.locator("iframe").boundingBox())?.height).toBe(789);
  const setTextSize = (size: string) =>
    page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, size);
  await setTextSize("200%");
  expect((await page.locator("iframe").boundingBox())?.height).toBe(2 * 789);
  expect((await page.locator(".embed-poster").boundingBox())?.height).toBe(2 * 400);
  await setTextSize("");
  await expect(form(page).getByLabel("What is it about?")).toHaveValue("local-news-and-community");
  expect((await page.locator(".embed-poster").boundingBox())?.height).toBe(400);
  await expect(page.locator("[data-embed-src]")).toHaveAttribute(
    "data-embed-src",
    /^https:\/\/www\.openstreetmap\.org\/export\/embed\.html\?bbox=/,
  );
});

test("thanks appear only when the message is stored", async ({ page }) => {
  await page.goto("/contact");
  await hydrated(page);
  // What the browser would not let through, and another program might send all the same.
  await form(page)
    .locator("form")
    .evaluate((element: HTMLFormElement) => {
      element.noValidate = true;
    });
  await form(page).getByLabel("Your e-mail").fill("nowhere");
  await form(page).getByLabel("Your message").fill("The crossing at the pier is dark.");
  await likeAPerson(page);
  await form(page).getByRole("button", { name: "Send Message" }).click();
  const email = form(page).getByLabel("Your e-mail");
  await expect(
    form(page).getByRole("group", { name: "One field needs another look." }),
  ).toBeFocused();
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(form(page).getByLabel("Your message")).toHaveValue(
    "The crossing at the pier is dark.",
  );
  await expect(page.getByRole("heading", { name: "Thank You!" })).toHaveCount(0);
  await email.fill("reader@example.com");
  await likeAPerson(page);
  for (const answer of [
    { status: 429, body: "Too many requests from your internet connection." },
    "no network",
  ]) {
    await page.route(/\/contact\/form\.data/, (route) =>
      typeof answer === "string" ? route.abort() : route.fulfill(answer),
    );
    await form(page).getByRole("button", { name: "Send Message" }).click();
    await expect(
      form(page).getByRole("group", {
        name:
          typeof answer === "string"
            ? /^We do not know whether your form has reached us/
            : answer.body,
      }),
    ).toBeFocused();
    await expect(form(page).getByLabel("Your message")).toHaveValue(
      "The crossing at the pier is dark.",
    );
    await page.unrouteAll();
  }
  // The line breaks as soon as the message is stored.
  await page.route(/\/contact\/form\.data/, (route) =>
    route.request().method() === "POST" ? route.continue() : route.abort(),
  );
  await form(page).getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { name: "Thank You!" })).toBeVisible();
  const thanks = page.getByRole("status").filter({ hasText: "Thank You!" });
  await expect(thanks).toBeFocused();
  await expect(thanks).toHaveCSS("outline-style", "none");
  await expect(page.getByRole("heading", { name: "Thank You!" })).toBeInViewport();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Write another message" }).click();
  await expect(form(page).getByLabel("Your message")).toHaveValue("");
});

test("a window that only claims so gets no thanks", async ({ page }) => {
  await page.goto("/contact");
  await hydrated(page);
  await page.evaluate(() => postMessage("harborline-contact:stored"));
  await expect(page.locator("iframe")).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Thank You!" })).toHaveCount(0);
});

test("the form can be filled in by keyboard alone", async ({ page }) => {
  await page.goto("/contact/form");
  await hydrated(page);
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("What is it about?")).toBeFocused();
  for (const label of ["Your name", "Your e-mail", "Your message"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByLabel(label)).toBeFocused();
  }
  await page.keyboard.type("By keyboard.");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  await likeAPerson(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thank You!" })).toBeVisible();
});

test("the form works without JavaScript", async ({ browser, baseURL }) => {
  const page = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  await page.goto("/contact");
  await form(page).getByLabel("Your message").fill("Without scripts.");
  await likeAPerson(page);
  await form(page).getByRole("button", { name: "Send Message" }).click();
  await expect(form(page).getByRole("heading", { name: "Thank You!" })).toBeVisible();
  await page.close();
});

bare.describe("a form of another service", () => {
  let city: TestCity;
  bare.beforeAll(async () => {
    const outside =
      "\noutside:\n  service: { key: forms, name: Some Forms }\n  url: https://forms.example/abc\n  script: https://forms.example/embed.js\n";
    city = await startCity({
      "contact-page.yaml": (source) => source + outside,
      "embeds.yaml": (source) =>
        `${source}  forms: { name: Some Forms, hosts: ["https://forms.example"] }\n`,
    });
  });
  bare.afterAll(() => city.close());

  bare(
    "is asked for only when the reader wants it, and is locked up with its script",
    async ({ page }) => {
      const asked: string[] = [];
      await page.route("https://forms.example/**", async (route) => {
        asked.push(route.request().url());
        const isScript = route.request().url().endsWith(".js");
        await route.fulfill(
          isScript
            ? {
                contentType: "text/javascript",
                body: "try { parent.document.title = 'taken' } catch {}",
              }
            : { contentType: "text/html", body: "<p>Their form</p>" },
        );
      });
      await page.goto(`${city.server.url}/contact`, { waitUntil: "networkidle" });
      await hydrated(page);
      expect(asked).toEqual([]);
      const place = page.locator('[data-embed-src="https://forms.example/abc"]');
      expect((await place.locator(".embed-poster").boundingBox())?.height).toBe(789);
      await place.getByRole("button", { name: "Load the form" }).click();
      await expect(
        place.frameLocator("iframe").frameLocator("iframe").getByText("Their form"),
      ).toBeVisible();
      await expect
        .poll(() => asked.toSorted())
        .toEqual(["https://forms.example/abc", "https://forms.example/embed.js"]);
      await expect(page).toHaveTitle(/^Contact/);
    },
  );
});
