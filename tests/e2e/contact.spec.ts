import { test as baseTest, type Page } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { expect, test, waitForHydration } from "./support.ts";

const contactForm = (page: Page) => page.frameLocator('iframe[title="Send us a message"]');
/**
 * The server refuses forms that are sent within two seconds, because no person fills in a form that
 * fast.
 */
const waitLikeAPerson = (page: Page) => page.waitForTimeout(2_100);

test("the page has all contact details", async ({ page }) => {
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

test("the form is 789 px high with its category preset, and the map is 400 px high and not loaded", async ({
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
  await expect(contactForm(page).getByLabel("What is it about?")).toHaveValue(
    "local-news-and-community",
  );
  expect((await page.locator(".embed-poster").boundingBox())?.height).toBe(400);
  await expect(page.locator("[data-embed-src]")).toHaveAttribute(
    "data-embed-src",
    /^https:\/\/www\.openstreetmap\.org\/export\/embed\.html\?bbox=/,
  );
});

test("the form says thank you only when the message is stored", async ({ page }) => {
  await page.goto("/contact");
  await waitForHydration(page);
  // A browser would refuse this input, but other programs could send it.
  await contactForm(page)
    .locator("form")
    .evaluate((element: HTMLFormElement) => {
      element.noValidate = true;
    });
  await contactForm(page).getByLabel("Your email").fill("nowhere");
  await contactForm(page).getByLabel("Your message").fill("The crossing at the pier is dark.");
  await waitLikeAPerson(page);
  await contactForm(page).getByRole("button", { name: "Send Message" }).click();
  const email = contactForm(page).getByLabel("Your email");
  await expect(
    contactForm(page).getByRole("group", { name: "One field needs another look." }),
  ).toBeFocused();
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(contactForm(page).getByLabel("Your message")).toHaveValue(
    "The crossing at the pier is dark.",
  );
  await expect(page.getByRole("heading", { name: "Thank You!" })).toHaveCount(0);
  await email.fill("reader@example.com");
  await waitLikeAPerson(page);
  for (const response of [
    { status: 429, body: "Too many requests from your internet connection." },
    "no network",
  ]) {
    await page.route(/\/contact\/form\.data/, (route) =>
      typeof response === "string" ? route.abort() : route.fulfill(response),
    );
    await contactForm(page).getByRole("button", { name: "Send Message" }).click();
    await expect(
      contactForm(page).getByRole("group", {
        name:
          typeof response === "string"
            ? /^We do not know whether your form reached us/
            : response.body,
      }),
    ).toBeFocused();
    await expect(contactForm(page).getByLabel("Your message")).toHaveValue(
      "The crossing at the pier is dark.",
    );
    await page.unrouteAll();
  }
  // The connection fails after the message is stored.
  await page.route(/\/contact\/form\.data/, (route) =>
    route.request().method() === "POST" ? route.continue() : route.abort(),
  );
  await contactForm(page).getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { name: "Thank You!" })).toBeVisible();
  const thanks = page.getByRole("status").filter({ hasText: "Thank You!" });
  await expect(thanks).toBeFocused();
  await expect(thanks).toHaveCSS("outline-style", "none");
  await expect(page.getByRole("heading", { name: "Thank You!" })).toBeInViewport();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Write another message" }).click();
  await expect(contactForm(page).getByLabel("Your message")).toHaveValue("");
});

test("the page ignores a message from another window that claims to be the form", async ({
  page,
}) => {
  await page.goto("/contact");
  await waitForHydration(page);
  await page.evaluate(() => postMessage("harborline-contact:stored"));
  await expect(page.locator("iframe")).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Thank You!" })).toHaveCount(0);
});

test("the form can be filled in with only the keyboard", async ({ page }) => {
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
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  await waitLikeAPerson(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thank You!" })).toBeVisible();
});

test("the form works without JavaScript", async ({ browser, baseURL }) => {
  const page = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  await page.goto("/contact");
  await contactForm(page).getByLabel("Your message").fill("Without scripts.");
  await waitLikeAPerson(page);
  await contactForm(page).getByRole("button", { name: "Send Message" }).click();
  await expect(contactForm(page).getByRole("heading", { name: "Thank You!" })).toBeVisible();
  await page.close();
});

baseTest.describe("another company's form", () => {
  let city: TestCity;
  baseTest.beforeAll(async () => {
    const externalForm =
      "\noutside:\n  service: { key: forms, name: Some Forms }\n  url: https://forms.example/abc\n  script: https://forms.example/embed.js\n";
    city = await startCity({
      "contact-page.yaml": (source) => source + externalForm,
      "embeds.yaml": (source) =>
        `${source}  forms: { name: Some Forms, hosts: ["https://forms.example"] }\n`,
    });
  });
  baseTest.afterAll(() => city.close());

  baseTest(
    "loads only when the reader asks for it, and its script is isolated from the page",
    async ({ page }) => {
      const requests: string[] = [];
      await page.route("https://forms.example/**", async (route) => {
        requests.push(route.request().url());
        const isScript = route.request().url().endsWith(".js");
        await route.fulfill(
          isScript
            ? {
                contentType: "text/javascript",
                body: "try { parent.document.title = 'changed' } catch {}",
              }
            : { contentType: "text/html", body: "<p>Their form</p>" },
        );
      });
      await page.goto(`${city.server.url}/contact`, { waitUntil: "networkidle" });
      await waitForHydration(page);
      expect(requests).toEqual([]);
      const embed = page.locator('[data-embed-src="https://forms.example/abc"]');
      expect((await embed.locator(".embed-poster").boundingBox())?.height).toBe(789);
      await embed.getByRole("button", { name: "Load the form" }).click();
      await expect(
        embed.frameLocator("iframe").frameLocator("iframe").getByText("Their form"),
      ).toBeVisible();
      await expect
        .poll(() => requests.toSorted())
        .toEqual(["https://forms.example/abc", "https://forms.example/embed.js"]);
      await expect(page).toHaveTitle(/^Contact/);
    },
  );
});
