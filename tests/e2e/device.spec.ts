import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";

const storyPath = "/news/marble-steps";
const storyTitle = "How White Marble Climbed to the Rowhouse Door";

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

const saveButton = (page: Page, title: string) =>
  page.getByRole("main").getByRole("button", { name: new RegExp(`^Saved?: ${title}$`) });

const toast = (page: Page) => page.locator(".toast");

async function downloadText(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFile(await download.path(), "utf8");
}

const expectNoViolations = async (page: Page, part = "body") =>
  expect((await createAxe(page).include(part).analyze()).violations).toEqual([]);

test.describe("saved items", () => {
  test("are saved from a card and on a page, listed, exported, removed and put back", async ({
    page,
  }) => {
    await page.clock.install();
    await page.addInitScript(() => {
      const has = CacheStorage.prototype.has;
      CacheStorage.prototype.has = function (name) {
        Reflect.set(window, "checks", (Reflect.get(window, "checks") ?? 0) + 1);
        return has.call(this, name);
      };
    });
    await page.setViewportSize(desktop);
    await open(page, "/");
    const card = page.locator(".carousel-slide article").first();
    const eventTitle = (await card.getByRole("heading").textContent()) ?? "";
    await card.getByRole("button", { name: `Save: ${eventTitle}` }).click();
    // The rest of the sentence changes when the text is stored, or not, for reading offline.
    await expect(toast(page)).toHaveText(/^Saved.*See what you saved$/);
    await open(page, storyPath);
    await saveButton(page, storyTitle).click();
    await expect(saveButton(page, storyTitle)).toHaveAttribute("aria-pressed", "true");
    await expect(saveButton(page, storyTitle)).toHaveText("Saved");

    await expect(toast(page)).toContainText("Saved");
    await page.getByRole("banner").getByRole("link", { name: "Saved, 2 items" }).click();
    await expect(toast(page), "it has led the reader here").toBeEmpty();
    const rows = page.getByRole("main").getByRole("listitem");
    await expect(rows.getByRole("heading")).toHaveText([storyTitle, eventTitle]);
    await expect(rows.last(), "a saved event says when it is").toContainText(/\d:\d\d [AP]M/);
    await expect(rows.first()).toContainText(/Story · Saved \w+ \d+, \d{4}/);
    await expectNoViolations(page, "main");

    const { origin } = new URL(page.url());
    expect(await downloadText(page, "Download as text")).toContain(`${origin}${storyPath}\n`);
    const bookmarks = await downloadText(page, "Download as bookmarks");
    expect(bookmarks).toContain("<!DOCTYPE NETSCAPE-Bookmark-file-1>");
    expect(bookmarks).toContain(`<DT><A HREF="${origin}${storyPath}" ADD_DATE="`);

    await page.getByRole("button", { name: `Remove: ${storyTitle}` }).press("Enter");
    const undo = page.getByRole("button", { name: `Undo: ${storyTitle}` });
    await expect(undo).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "Removed:" })).toBeAttached();
    await expect(page.getByRole("link", { name: "Saved, 1 item" })).toBeVisible();
    await undo.press("Enter");
    await expect(rows.getByRole("heading")).toHaveText([storyTitle, eventTitle]);

    // Offline copies are checked again for a while, but not without end.
    const countChecks = () => page.evaluate(() => Number(Reflect.get(window, "checks")));
    const needsConnection = rows.first().getByText("Needs a connection");
    await expect(rows.first()).toContainText("Saved");
    await expect(needsConnection, "it may still be on its way").toHaveCount(0);
    const first = await countChecks();
    await expect(async () => {
      await page.clock.fastForward(3_000);
      expect(await countChecks()).toBeGreaterThan(first);
    }).toPass();
    await page.clock.fastForward(61_000);
    await expect(async () => {
      const before = await countChecks();
      for (let round = 0; round < 5; round++) await page.clock.fastForward(10_000);
      expect(await countChecks()).toBe(before);
    }).toPass();
    await expect(needsConnection).toBeVisible();
    const last = await countChecks();
    // A reader who returns to the tab sees what was stored in the meantime.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect.poll(countChecks).toBe(last + 1);

    await rows.getByRole("link", { name: storyTitle }).click();
    await expect(page).toHaveURL(storyPath);
  });

  test("are the same in two tabs, and need space: a full storage gets a sentence", async ({
    page,
    context,
  }) => {
    await open(page, storyPath);
    const list = await context.newPage();
    await open(list, "/saved");
    await expect(list.getByText("You have not saved anything yet.")).toBeVisible();
    await saveButton(page, storyTitle).click();
    await expect(list.getByRole("heading", { name: storyTitle })).toBeVisible();
    await list.getByRole("button", { name: `Remove: ${storyTitle}` }).click();
    await expect(saveButton(page, storyTitle)).toHaveAttribute("aria-pressed", "false");

    await page.evaluate(() => {
      let text = "x".repeat(1024 * 1024);
      while (text.length > 0) {
        try {
          localStorage.setItem(`filler${localStorage.length}`, text);
        } catch {
          text = text.slice(text.length / 2 + 1);
        }
      }
    });
    await saveButton(page, storyTitle).click();
    await expect(toast(page)).toContainText("so this could not be saved");
    await expect(saveButton(page, storyTitle)).toHaveAttribute("aria-pressed", "false");
  });

  test("need a browser that stores something: otherwise everything else works, with a sentence", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      // Not the session storage, which the router's own script reads without a guard.
      for (const name of ["localStorage", "indexedDB", "caches"])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("blocked", "SecurityError");
          },
        });
    });
    await open(page, storyPath);
    await saveButton(page, storyTitle).click();
    await expect(toast(page)).toHaveText(
      "Your browser has no space left or does not let this site store anything, so this could not be saved.",
    );
    await expect(saveButton(page, storyTitle)).toHaveAttribute("aria-pressed", "false");
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByText("Dark", { exact: true }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator("#site-display").getByRole("status")).toContainText(
      "ends when you leave the page",
    );
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Saved", exact: true }).first().click();
    await expect(page.getByText("so nothing can be saved here")).toBeVisible();
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("button", { name: "Forget everything" }).click();
    await page.getByRole("button", { name: "Yes, forget everything" }).click();
    await expect(page.getByText("Done. This site has nothing stored")).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("no button does nothing", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: /^Save|^Display$/ })).toHaveCount(0);
    await page.goto("/privacy");
    await expect(page.getByRole("button", { name: "Forget everything" })).toHaveCount(0);
  });
});

test.describe("the display panel", () => {
  test("changes the page by keyboard, in all tabs, and before the first paint of the next page", async ({
    page,
    context,
  }) => {
    await page.addInitScript(() => {
      document.addEventListener("DOMContentLoaded", () => {
        const { fontSize, colorScheme } = getComputedStyle(document.documentElement);
        Object.assign(window, { atStart: { fontSize, colorScheme } });
      });
    });
    await page.setViewportSize(desktop);
    await open(page, "/about");
    const other = await context.newPage();
    await open(other, "/faq");

    const button = page.getByRole("button", { name: "Display" });
    const searchBox = page.getByRole("banner").getByRole("combobox", { name: "Search" });
    await page.keyboard.press("/");
    await expect(searchBox).toBeFocused();
    await button.focus();
    await page.keyboard.press("Enter");
    const panel = page.locator("#site-display");
    await expect(panel.getByRole("radio", { name: "Normal" })).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    for (const name of ["More contrast", "Less motion"])
      await panel.getByRole("checkbox", { name }).press("Space");
    await panel.getByRole("checkbox", { name: /Data saver/ }).press("Space");
    await panel.getByRole("checkbox", { name: /to search/ }).press("Space");
    await expectNoViolations(page, "#site-display");
    await expect(panel.getByRole("link", { name: "The low-data edition" })).toHaveJSProperty(
      "href",
      new URL("/about?edition=light", page.url()).href,
    );
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press("/");
    await expect(button).toBeFocused();

    const expected = {
      theme: "dark",
      textSize: "larger",
      contrast: "more",
      motion: "less",
      saver: "on",
    };
    const readSettings = (tab: Page) =>
      tab.evaluate(() => ({ ...document.documentElement.dataset }));
    expect(await readSettings(page)).toEqual(expected);
    await expect.poll(() => readSettings(other)).toEqual(expected);
    await other.close();

    await page.reload();
    await waitForHydration(page);
    expect(await page.evaluate(() => Reflect.get(window, "atStart"))).toEqual({
      fontSize: "20px",
      colorScheme: "dark",
    });
    expect(await readSettings(page)).toEqual(expected);
    expect(await page.locator("meta[name=theme-color]").first().getAttribute("content")).toBe(
      "#0d1826",
    );
    // The same as the device's own settings do.
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(0, 0, 0)");
    await expect(page.getByRole("link", { name: "Books" })).toHaveCSS("transition-duration", "0s");
    await button.focus();
    await page.keyboard.press("/");
    await expect(button).toBeFocused();
    await open(page, "/");
    await expect(page.getByRole("button", { name: "Play" }).first()).toBeAttached();
    await expect(page.locator("img[loading=lazy]").first()).toBeHidden();
    await button.click();
    await panel.getByRole("checkbox", { name: /to search/ }).check();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(await page.evaluate(() => localStorage.getItem("search.slashOff"))).toBeNull();
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await page.keyboard.press("/");
    await expect(searchBox).toBeFocused();
  });
});

test("what is new since the last visit is marked and counted, through the whole visit, but not on the first visit", async ({
  page,
  context,
}) => {
  await page.setViewportSize(phone);
  await open(page, "/stories");
  await expect(toast(page)).toBeAttached();
  await expect(page.locator(".new-mark")).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  // The visit is stored when the reader leaves the page.
  await page.getByRole("contentinfo").getByText("Quick Links").click();
  await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("visits")))
    .toMatch(/^\{"activeAt":\d+,"previousEnd":null\}$/);

  // From now on, the last visit was long ago.
  await context.addInitScript((activeAt) => {
    if (sessionStorage.getItem("shifted")) return;
    sessionStorage.setItem("shifted", "1");
    localStorage.setItem("visits", JSON.stringify({ activeAt, previousEnd: null }));
  }, Date.parse("2020-05-04T18:10:00-04:00"));
  await open(page, "/stories");
  const marks = page.locator(".story-row .new-mark");
  await expect(marks.first()).toBeVisible();
  await expect(marks).toHaveCount(await page.locator(".story-row").count());
  await expect(page.locator(".story-row h3").first()).toHaveText(/^New: /);
  await expect(page.locator(".new-count")).toHaveText(
    `${await marks.count()} new since your last visit, May 4, 2020`,
  );
  await expectNoViolations(page, "main");
  await page.getByRole("contentinfo").getByText("Quick Links").click();
  await page.getByRole("contentinfo").getByRole("link", { name: "Home" }).click();
  await expect(page.locator(".news-card .new-mark").first()).toBeAttached();
  const other = await context.newPage();
  await open(other, "/blog");
  await expect(other.locator(".post-entry .new-mark").first()).toBeVisible();
  await page.bringToFront();
  await expect(page.locator(".news-card .new-mark").first()).toBeAttached();
});

test.describe("Forget everything", () => {
  test.use({ serviceWorkers: "allow" });

  const listStored = (page: Page) =>
    page.evaluate(async () => {
      const files: string[] = [];
      for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
      return {
        cookies: document.cookie,
        local: Object.keys(localStorage),
        session: Object.keys(sessionStorage),
        databases: (await indexedDB.databases()).map(({ name }) => name),
        caches: await caches.keys(),
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        files,
      };
    });
  const nothing = {
    cookies: "",
    local: [],
    session: [],
    databases: [],
    caches: [],
    workers: 0,
    files: [],
  };

  test("deletes what every kind of storage has, in all tabs, and the next reader sees the defaults", async ({
    page,
    context,
  }) => {
    await open(page, storyPath);
    await saveButton(page, storyTitle).click();
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByText("Dark", { exact: true }).click();
    await page.keyboard.press("Escape");
    const other = await context.newPage();
    await open(other, "/saved");
    await expect(other.getByRole("heading", { name: storyTitle })).toBeVisible();
    await open(page, "/privacy");
    await page.evaluate(async () => {
      localStorage.setItem("old", "value");
      // biome-ignore lint/suspicious/noDocumentCookie: the test needs a cookie like those of a proxy.
      document.cookie = "proxy=1; path=/";
      sessionStorage.setItem("tab", "value");
      await (await caches.open("old")).put("/old", new Response("old"));
      await new Promise((resolve) => {
        indexedDB.open("old").onsuccess = ({ target }) => {
          Reflect.get(Object(target), "result").close();
          resolve(null);
        };
      });
      const folder = await navigator.storage.getDirectory();
      await folder.getFileHandle("old", { create: true });
    });
    // The service worker controls a tab some time after the page has loaded. A page that loads just
    // when the worker starts stays without it, but the next one has it.
    for (const tab of [page, other])
      await expect
        .poll(async () => {
          const worker = await tab.evaluate(async () => {
            if (navigator.serviceWorker.controller) return "controls the tab";
            return (await navigator.serviceWorker.getRegistration())?.active ? "runs" : "starts";
          });
          if (worker === "runs") await open(tab, new URL(tab.url()).pathname);
          return worker;
        })
        .toBe("controls the tab");

    const button = page.getByRole("button", { name: "Forget everything" });
    // A double click deletes nothing.
    await button.dblclick();
    await expect(page.getByRole("status").filter({ hasText: "cannot be undone" })).toBeVisible();
    expect((await listStored(page)).local).toContain("old");
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Yes, forget everything" }).click();
    await expect(page.getByText("Done. This site has nothing stored")).toBeVisible();
    await expect(button).toBeFocused();
    for (const tab of [page, other]) {
      await expect.poll(() => listStored(tab)).toEqual(nothing);
      await expect(tab.locator("html")).not.toHaveAttribute("data-theme");
    }
    expect(await context.cookies()).toEqual([]);
    await expect(other.getByText("You have not saved anything yet.")).toBeVisible();
    // Nothing is stored for a message that a tab sent before and the worker gets afterwards.
    const reply = await other.evaluate((path) => {
      const { port1, port2 } = new MessageChannel();
      const message = { visited: path, saved: [], savesData: false };
      const { controller } = navigator.serviceWorker;
      if (!controller) throw new Error("No service worker controls the tab.");
      controller.postMessage(message, [port2]);
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
      });
    }, storyPath);
    expect(reply).toBeNull();
    expect(await listStored(other)).toEqual(nothing);
    // Nothing is stored again by a tab that is hidden or closed.
    const closed = other.waitForEvent("close");
    await other.close({ runBeforeUnload: true });
    await closed;
    expect((await listStored(page)).local).toEqual([]);

    // The page works on, and a second reader starts from the beginning.
    await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /About/ })).toBeVisible();
    const next = await context.newPage();
    await open(next, storyPath);
    await expect(saveButton(next, storyTitle)).toHaveAttribute("aria-pressed", "false");
    await expect(next.getByRole("banner").getByRole("link", { name: "Saved" })).toHaveText("Saved");
    await expect(next.locator(".new-mark")).toHaveCount(0);
  });
});
