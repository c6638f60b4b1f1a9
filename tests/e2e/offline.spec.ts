import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base, type Page } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { startGateway } from "../support/gateway.ts";
import { runInServer } from "../support/newsroom.ts";
import { createAxe, expect, waitForHydration } from "./support.ts";

/**
 * What the browser itself says about files that it cannot load without a connection, and about a
 * worker that it was loading when the page was left.
 */
const loadErrors =
  /^(?:Failed to load resource|An unknown error occurred when fetching the script)/;

/** Fails on errors in the page. */
const test = base.extend<{ errors: string[] }>({
  errors: [
    async ({ context }, use) => {
      const errors: string[] = [];
      context.on("weberror", (error) => errors.push(String(error.error())));
      context.on("console", (message) => {
        if (message.type() === "error" && !loadErrors.test(message.text()))
          errors.push(message.text());
      });
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
test.use({ serviceWorkers: "allow" });

/** The paths of everything in Cache Storage. */
const listStored = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const entries = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return entries.flat().map(({ url }) => url.slice(location.origin.length));
  });

const waitUntilStored = (page: Page, ...paths: string[]) =>
  expect.poll(() => listStored(page)).toEqual(expect.arrayContaining(paths));

const asOf = /^You are offline\. This is the page as of \d+:\d\d [AP]M, \w+ \d+, \d{4}\.$/;

test("after one visit, a reader without a connection can walk through the site", async ({
  page,
  context,
}) => {
  await page.goto("/news/marble-steps");
  await waitForHydration(page);
  await page.getByRole("navigation").getByRole("link", { name: "Events" }).first().click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/Happening/);
  await page.locator("main a[href^='/events/']:not([href$=submit])").first().click();
  await expect(heading).not.toHaveText(/Happening/);
  const eventPath = new URL(page.url()).pathname;
  const eventTitle = (await heading.textContent()) ?? "";
  const visited = ["/news/marble-steps", eventPath];
  await waitUntilStored(page, "/", "/news", "/events", "/privacy", ...visited);
  const notice = page.getByRole("complementary", { name: "Stored copy" });
  await expect(notice).toHaveCount(0);

  await context.setOffline(true);
  await page.goto("/");
  await waitForHydration(page);
  await expect(notice).toHaveText(asOf);
  await page.locator("a[href='/news']:visible").first().click();
  await expect(page).toHaveURL(/\/news$/);
  await expect(notice).toHaveText(asOf);
  await page.goto("/news/marble-steps");
  await waitForHydration(page);
  await expect(notice).toHaveText(asOf);
  await expect(heading).toHaveText(/White Marble/);
  await page.goBack();
  await expect(heading).toHaveText("News");

  await page.locator("a[href='/radio']:visible").first().click();
  await expect(page.getByText("The radio is live, so it needs a connection.")).toBeVisible();
  await page.goto("/search?q=marble");
  const titles = page.getByRole("main").getByRole("listitem");
  await expect(titles).toHaveText([/White Marble/]);
  await page.getByRole("searchbox", { name: "Search the stored titles" }).fill("");
  await expect(titles.filter({ hasText: eventTitle })).toHaveText(/As of \d+:\d\d [AP]M/);
  await page.goto("/news/lighthouse");
  await expect(page).toHaveURL("/offline?for=%2Fnews%2Flighthouse");
  await expect(page.getByText("This page is not stored on your device")).toBeVisible();
  expect((await createAxe(page).analyze()).violations).toEqual([]);
  await titles.getByRole("link", { name: eventTitle }).click();
  await expect(page).toHaveURL(eventPath);
  await expect(notice).toHaveText(asOf);
  expect((await createAxe(page).analyze()).violations).toEqual([]);

  // A form stays on its page, with what the reader has typed.
  await page.getByRole("contentinfo").getByRole("textbox").fill("ada@example.org");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("What you typed is not stored")).toBeVisible();
  // It does not keep the reader from stored pages, or from searching them.
  const box = page.getByRole("banner").getByRole("combobox", { name: "Search" });
  await box.fill("marble");
  await box.press("Enter");
  await expect(page).toHaveURL(/\/offline\?for=%2Fsearch%3Fq%3Dmarble/);
  await expect(titles).toHaveText([/White Marble/]);
  await page.getByRole("main").getByRole("link", { name: "Forget everything" }).click();
  await expect(page.getByRole("button", { name: "Forget everything" })).toBeVisible();

  // The bar of a copy does not say that the reader is offline when they no longer are.
  await page.goto("/news/marble-steps#main");
  await waitForHydration(page);
  await expect(notice).toHaveText(asOf);
  await context.setOffline(false);
  await expect(notice).toHaveText(
    /^The connection is back\. This is the page as of .+ See it as it is now$/,
  );
  expect((await createAxe(page).analyze()).violations).toEqual([]);
  await notice.getByRole("link").click();
  await expect(notice).toHaveCount(0);
  await expect(heading).toHaveText(/White Marble/);

  await context.setOffline(true);
  await page.goto("/news/lighthouse");
  await expect(page.getByText("This page is not stored on your device")).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL("/news/lighthouse");
  await expect(heading).toHaveText(/Lighthouse/);
  await expect(notice).toHaveCount(0);

  // A reader who comes back with a connection reloads the offline page. It opens the wanted page.
  await page.goto("/offline?for=%2Fnews%2Flighthouse");
  await waitForHydration(page);
  await page.reload();
  await expect(page).toHaveURL("/news/lighthouse");
});

test("a news tip that was typed in its iframe keeps the reader on the page without a connection", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await waitForHydration(page);
  await waitUntilStored(page, "/", "/news");
  await page.goto("/contact?about=%2Fnews%2Fmarble-steps&category=tip");
  await waitForHydration(page);
  const message = page.frameLocator("iframe").first().getByLabel("Your message");
  await message.fill("My boss hides something.");
  await context.setOffline(true);
  await page.locator("a[href='/news']:visible").first().click();
  await expect(page.getByText("We kept this page open")).toBeVisible();
  await expect(message).toHaveValue("My boss hides something.");
  await message.fill("");
  await page.locator("a[href='/news']:visible").first().click();
  await expect(page).toHaveURL(/\/news$/);
});

test("the saved list says which pages open without a connection, and a removed one no longer does", async ({
  page,
  context,
}) => {
  await page.goto("/stories");
  await waitForHydration(page);
  await waitUntilStored(page, "/stories", "/saved");
  await context.setOffline(true);
  const row = page.getByRole("listitem").filter({ hasText: "Lighthouse" }).first();
  await row.getByRole("button", { name: /^Save: / }).click();
  await expect(page.getByText("Saved. Its text will be stored when you are online.")).toBeVisible();
  await page.goto("/saved");
  await page.evaluate(() => {
    const headline = { url: "https://paper.example/", title: "Ebb", kind: "headline", savedAt: 1 };
    const items = JSON.parse(localStorage.getItem("saved.items") ?? "[]");
    localStorage.setItem("saved.items", JSON.stringify([...items, headline]));
  });
  await page.reload();
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toContainText([/Lighthouse.*Needs a connection/, /Ebb.*Needs a connection/]);
  await context.setOffline(false);
  await page.reload();
  await expect(rows).toContainText([/Lighthouse.*On this device/, /Ebb.*Needs a connection/]);
  expect(await listStored(page)).toContain("/news/lighthouse");
  await context.setOffline(true);
  await rows.getByRole("button", { name: /^Remove: .*Lighthouse/ }).click();
  await expect.poll(() => listStored(page)).not.toContain("/news/lighthouse");
});

test("a saved page is stored with its images, and Forget everything leaves nothing", async ({
  page,
  context,
}) => {
  await page.goto("/news/lighthouse");
  await waitForHydration(page);
  const readSaved = () =>
    page.evaluate(async () => {
      const copy = await caches.match("/news/lighthouse", { cacheName: "pages" });
      const facts = JSON.parse(decodeURIComponent(copy?.headers.get("x-page-copy") ?? "{}"));
      if (!facts.savedAt) return { storedAt: 0, images: 0, missing: 0 };
      const images: string[] = facts.images;
      const found = await Promise.all(
        images.map((path) => caches.match(path, { cacheName: "images" })),
      );
      const missing = found.filter((image) => !image).length;
      return { storedAt: Number(facts.storedAt), images: images.length, missing };
    });
  // A tab that saves an item without the worker, or before it is installed, leaves only the list.
  await page.evaluate(() => {
    const item = { url: "/news/lighthouse", title: "The Lighthouse", kind: "story", savedAt: 1 };
    localStorage.setItem("saved.items", JSON.stringify([item]));
  });
  await page.reload();
  await waitUntilStored(page, "/news/lighthouse", "/saved");
  await expect.poll(async () => (await readSaved()).images).toBeGreaterThan(1);
  const first = await readSaved();
  expect(first.missing).toBe(0);
  await page.reload();
  await expect.poll(async () => (await readSaved()).storedAt).toBeGreaterThan(first.storedAt);
  await waitForHydration(page);
  await expect.poll(readSaved).toMatchObject({ images: first.images, missing: 0 });

  await context.setOffline(true);
  await page.goto("/saved");
  await page
    .getByRole("main")
    .getByRole("link", { name: /lighthouse/i })
    .click();
  await expect(page.getByRole("complementary", { name: "Stored copy" })).toHaveText(asOf);
  const image = page.getByRole("main").getByRole("img").first();
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  await page.goto("/offline");
  const saved = page.locator("section", { has: page.getByRole("heading", { name: "Saved" }) });
  await expect(saved.getByRole("listitem")).toHaveCount(1);

  await context.setOffline(false);
  await page.evaluate(() => localStorage.removeItem("saved.items"));
  await page.goto("/news/lighthouse");
  await expect.poll(async () => (await readSaved()).images).toBe(0);
  await page.goto("/privacy");
  await page.getByRole("button", { name: "Forget everything" }).click();
  // An editor may read the site with the same browser.
  await page.evaluate(() => localStorage.setItem("desk-draft:1", "{}"));
  await page.getByRole("button", { name: "Yes, forget everything" }).click();
  await expect(page.getByText("Done, except for a text that you wrote as an editor")).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["desk-draft:1"]);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0);
  // This tab stores nothing again. The worker stores pages in the order in which the tabs report
  // them, so the page of this tab would be stored before the second page of a new tab.
  await page.locator("a[href='/about']:visible").first().click();
  await expect(page).toHaveURL("/about");
  const next = await context.newPage();
  await next.goto("/faq");
  await waitUntilStored(next, "/faq", "/", "/news", "/events", "/saved");
  await next.goto("/terms");
  await waitUntilStored(next, "/terms");
  expect(await listStored(next)).not.toContain("/about");
});

test.describe("with a server of its own", () => {
  // One city for all of these tests, which run one after the other.
  test.describe.configure({ mode: "default" });
  let city: TestCity;
  test.beforeAll(async () => {
    city = await startCity({});
  });
  test.afterAll(() => city.close());
  const opened: { close(): Promise<unknown> }[] = [];
  test.afterEach(async () => {
    // The gateway first, because its pages may still send requests.
    for (const each of opened.splice(0).toReversed()) await each.close();
  });
  /** Opens a gateway to the city, which is closed after the test. */
  const openGateway = async () => {
    const gateway = await startGateway(city.server.url);
    opened.push(gateway);
    return gateway;
  };

  test("no form token, no preview and no search is ever stored", async ({ page }) => {
    await writeFile(
      join(city.siteFolder, "news/zoo-budget.md"),
      "---\ntitle: Secret Budget of the Zoo\nexcerpt: Not yet.\ncategory: Politics\ndate: 2026-11-15\n" +
        "image: { file: marble-steps.svg, alt: Steps }\ndraft: true\n---\n\nThe secret text.\n",
    );
    const args = ["stories", "preview", "zoo-budget"];
    await expect.poll(async () => (await runInServer(city.dataDir, args)).code).toBe(0);
    const { output } = await runInServer(city.dataDir, args);
    const preview = /\/preview\/\S+/.exec(output)?.[0] ?? "";
    const { url } = city.server;
    await page.goto(`${url}/`);
    await waitUntilStored(page, "/", "/news", "/events");
    const secrets = [
      preview,
      "/contact/form",
      "/contact",
      "/events/submit",
      "/community/submit",
      "/newsletter",
      "/search?q=harbor",
      "/radio",
    ];
    const heading = page.getByRole("heading", { level: 1 });
    for (const path of secrets) {
      await page.goto(url + path);
      await expect(heading).toHaveText(path === preview ? "Secret Budget of the Zoo" : /./);
    }
    // Not even a page that asks for it gets one of them stored.
    const replies = await page.evaluate(
      async (paths) => {
        const { active } = await navigator.serviceWorker.ready;
        return Promise.all(
          paths.map((path) => {
            const { port1, port2 } = new MessageChannel();
            active?.postMessage({ visited: path, saved: [path], savesData: false }, [port2]);
            return new Promise((resolve) => {
              port1.onmessage = ({ data }) => resolve(data);
            });
          }),
        );
      },
      [...secrets, "/api/stream", "/news.data", "https://example.com/"],
    );
    expect(new Set(replies)).toEqual(new Set(["done"]));
    const bodies = await page.evaluate(async () => {
      const texts: string[] = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
          texts.push(`${request.url} ${await (await cache.match(request))?.text()}`);
      }
      return texts;
    });
    expect(bodies.length).toBeGreaterThan(20);
    expect(bodies.filter((body) => /name="token"|secret text|Secret Budget/i.test(body))).toEqual(
      [],
    );
    const paths = (await listStored(page)).map((path) => path.split("?", 1)[0]);
    expect(
      paths.filter((path) => secrets.some((each) => each.startsWith(`${path}?`) || each === path)),
    ).toEqual([]);
  });

  test("a new version takes over with the next page, and open tabs keep working", async ({
    page,
    context,
  }) => {
    const gateway = await openGateway();
    const other = await context.newPage();
    const readBuild = (each: Page) =>
      each.evaluate((): string => Reflect.get(window, "__reactRouterManifest").version);
    await page.goto(`${gateway.url}/`);
    await waitUntilStored(page, "/", "/news", "/events");
    await other.goto(`${gateway.url}/news`);
    const oldBuild = await readBuild(other);
    const stored = await listStored(other);
    const aboutScript = stored.find((path) => /^\/assets\/about-/.test(path)) ?? "";
    const aboutHash = /about-([\w-]+)\.js/.exec(aboutScript)?.[1] ?? "";

    gateway.rebuild([oldBuild, aboutHash]);
    const newBuild = oldBuild.split("").toReversed().join("");
    await other.goto(`${gateway.url}/events`);
    expect(await readBuild(other)).toBe(newBuild);
    const hasWaiting = () =>
      other.evaluate(async () =>
        Boolean((await navigator.serviceWorker.getRegistration())?.waiting),
      );
    await expect.poll(hasWaiting).toBe(true);
    // The next page asks the new worker to take over, and Chrome replaces the old one as soon as it
    // is idle. A test counts as developer tools, with which that can take five minutes, unless the
    // old worker is stopped. If the new one is stopped before it is asked, the next page asks again.
    const session = await context.newCDPSession(other);
    await session.send("ServiceWorker.enable");
    await expect(async () => {
      await other.goto(`${gateway.url}/news`, { waitUntil: "networkidle" });
      await session.send("ServiceWorker.stopAllWorkers");
      await expect.poll(hasWaiting, { timeout: 5_000 }).toBe(false);
    }).toPass();

    // The first tab still shows the old version, and loads scripts that the server no longer has.
    expect(await readBuild(page)).toBe(oldBuild);
    expect((await page.request.get(gateway.url + aboutScript)).status()).toBe(404);
    expect(
      await page.evaluate((path) => import(path).then((module) => typeof module), aboutScript),
    ).toBe("object");
    // Its next page is one of the new version.
    await page.locator("a[href='/about']:visible").first().click();
    await page.waitForURL("**/about");
    await expect.poll(() => readBuild(page)).toBe(newBuild);
    await waitForHydration(page);

    // A copy from the old version still has its own scripts.
    await context.setOffline(true);
    await page.goto(`${gateway.url}/`);
    await waitForHydration(page);
    expect(await readBuild(page)).toBe(oldBuild);
    await context.setOffline(false);
  });

  test("the operator can remove the worker, and what it has stored", async ({ page }) => {
    const withoutCopies = await startCity({}, { OFFLINE_COPIES: "off" });
    opened.push(withoutCopies);
    const gateway = await openGateway();
    await page.goto(`${gateway.url}/about`);
    await waitUntilStored(page, "/about");
    await page.evaluate(() => localStorage.setItem("donation.never", "1"));
    const countStored = () =>
      page.evaluate(async () => ({
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        caches: (await caches.keys()).length,
        setting: localStorage.getItem("donation.never"),
      }));
    gateway.forwardTo(withoutCopies.server.url);
    // What a worker stores meanwhile is removed with one of the next pages.
    await expect(async () => {
      await page.goto(`${gateway.url}/faq`);
      await expect
        .poll(countStored, { timeout: 20_000 })
        .toEqual({ workers: 0, caches: 0, setting: "1" });
    }).toPass();
    // Two pages say what does not work meanwhile.
    await page.goto(`${gateway.url}/offline`);
    await waitForHydration(page);
    await expect(page.getByText("Reading offline is switched off at the moment")).toBeVisible();
    await expect(page.getByText("Open a few while you are connected")).toBeHidden();
    await page.goto(`${gateway.url}/saved`);
    await expect(page.getByText("so saved pages need a connection")).toBeVisible();
    await expect(page.getByText("You can read saved pages of ours")).toBeHidden();
  });
});

test("without space on the device, the site works as without a worker", async ({
  page,
  context,
  baseURL,
}) => {
  const session = await context.newCDPSession(page);
  const setQuota = (quotaSize: number) =>
    session.send("Storage.overrideQuotaForOrigin", { origin: baseURL ?? "", quotaSize });
  await page.goto("/about");
  await waitUntilStored(page, "/about", "/", "/news", "/events");
  await setQuota(1_000);
  await page.goto("/faq");
  await waitForHydration(page);
  await page.locator("a[href='/events']:visible").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/news/marble-steps");
  await page
    .getByRole("button", { name: /^Save: / })
    .first()
    .click();
  await expect(page.getByText("Saved, but there is no space to read it offline.")).toBeVisible();
  await context.setOffline(true);
  await page.goto("/about");
  await expect(page.getByRole("complementary", { name: "Stored copy" })).toHaveText(asOf);
});

test("if the browser blocks storage, the site works as without a worker", async ({ page }) => {
  await page.addInitScript(() => {
    const block = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    Object.defineProperty(window, "caches", { get: block });
    Object.defineProperty(window, "localStorage", { get: block });
    Object.defineProperty(navigator, "serviceWorker", { get: block });
  });
  await page.goto("/about");
  await waitForHydration(page);
  await page.locator("a[href='/news']:visible").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("News");
  await page.goto("/offline");
  await expect(page.getByText("Your browser does not let this site store pages.")).toBeVisible();
});

test("the site can be installed as an app", async ({ page, context, request }) => {
  await page.goto("/");
  await waitUntilStored(page, "/");
  const session = await context.newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // The test's own context counts as a private window in Chromium.
  const errors = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  expect(errors).toEqual([]);
  const manifest = await session.send("Page.getAppManifest");
  expect(manifest.errors).toEqual([]);
  const { icons } = JSON.parse(manifest.data ?? "");
  expect(icons).toHaveLength(3);
  for (const { src, sizes } of icons) {
    const icon = await request.get(src);
    expect(icon.headers()["content-type"]).toBe("image/png");
    // The width is at this place in every PNG file.
    expect((await icon.body()).readUInt32BE(16)).toBe(Number.parseInt(sizes, 10));
  }
});
