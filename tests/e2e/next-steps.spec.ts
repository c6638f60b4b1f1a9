import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startLiveCity } from "../support/live-city.ts";
import { shareCity } from "./own-city.ts";
import { expect, phone, test, waitForHydration } from "./support.ts";

const getList = (page: Page, heading: string) =>
  page.getByRole("main").locator("section").filter({ hasText: heading });

test("from a story a reader goes on to the next one and to related ones, and no story is there twice", async ({
  page,
}) => {
  for (const id of ["marble-steps", "trash-wheel", "public-markets"]) {
    await page.goto(`/news/${id}`);
    const links = page.locator("main .neighbors a, main .news-card a");
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(paths.length).toBeGreaterThan(2);
    expect(new Set([`/news/${id}`, ...paths]).size, id).toBe(paths.length + 1);
  }
  await page.goto("/news/trash-wheel");
  await waitForHydration(page);
  const neighbors = page.getByRole("navigation", { name: "Previous and next story" });
  const title = neighbors.getByRole("link", { name: "Next story" }).locator("span").nth(1);
  const nextTitle = (await title.textContent()) ?? "";
  await title.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(nextTitle);
  await neighbors.getByRole("link", { name: "Previous story" }).click();
  await expect(page).toHaveURL("/news/trash-wheel");
});

test("from a post of the blog a reader goes on to the next one, which is not among the related ones", async ({
  page,
}) => {
  await page.goto("/blog");
  await waitForHydration(page);
  const posts = page.locator(".post-entry").getByRole("link");
  const [first, second] = await posts.allTextContents();
  await posts.nth(1).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(second ?? "");
  const neighbors = page.getByRole("navigation", { name: "Previous and next post" });
  const paths = await page
    .locator("main .neighbors a, main [aria-labelledby=related-posts] a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(paths).toHaveLength(5);
  expect(new Set(paths).size).toBe(5);
  await neighbors.getByRole("link", { name: "Next post" }).click();
  await expect(heading).toHaveText(first ?? "");
  await expect(neighbors.getByRole("link")).toHaveCount(1);
  await neighbors.getByRole("link", { name: "Previous post" }).click();
  await expect(heading).toHaveText(second ?? "");
});

test("a search without results leads to the newest stories and to the sections", async ({
  page,
}) => {
  await page.goto("/search?q=zzzqqq");
  await waitForHydration(page);
  const stories = getList(page, "Our newest stories").getByRole("listitem").getByRole("link");
  await expect(stories).toHaveCount(5);
  await expect(page.getByRole("main").getByRole("link", { name: "Politics" })).toBeVisible();
  const title = (await stories.first().textContent()) ?? "";
  await stories.first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.goto("/search?q=market");
  await expect(page.getByText("Our newest stories")).toHaveCount(0);
});

for (const path of ["/nowhere", "/news/nothing"])
  test(`a reader finds a way from ${path}: the search and five of our stories`, async ({
    page,
  }) => {
    await page.goto(path);
    await waitForHydration(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("404Oops! Page not found");
    const links = getList(page, "Latest news").getByRole("listitem").getByRole("link");
    await expect(links).toHaveCount(5);
    const title = (await links.last().textContent()) ?? "";
    await links.last().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await page.goBack();
    await page.getByRole("main").getByRole("combobox", { name: "Search" }).fill("oysters");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/search?q=oysters");
  });

test("a link inside the site that leads nowhere shows the same page", async ({ page }) => {
  await page.goto("/about");
  await waitForHydration(page);
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: "Terms" })
    .evaluate((link) => {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        event.stopPropagation();
        history.pushState(null, "", "/nowhere");
        dispatchEvent(new PopStateEvent("popstate", { state: null }));
      });
    });
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(getList(page, "Latest news").getByRole("listitem")).toHaveCount(5);
});

test.describe("with live headlines and our own events", () => {
  const createEvent = (title: string, day: number, place: string) => `---
title: ${title}
excerpt: Bring a friend.
category: Music
starts: { inDays: ${day}, at: "18:00" }
ends: { inDays: ${day}, at: "20:00" }
location: 100 Main Street, ${place}
---

Doors open at 5:30.
`;
  shareCity(test, async () => {
    const city = await startLiveCity();
    const write = (id: string, text: string) =>
      writeFile(join(city.siteFolder, "events", `${id}.md`), text);
    await write("first", createEvent("First Concert", 10, "Hampden"));
    await write("second", createEvent("Second Concert", 10, "Canton"));
    await write("third", createEvent("Third Concert", 12, "Hampden"));
    await write("fourth", createEvent("Fourth Concert", 14, "Canton"));
    const readPage = async () => (await fetch(`${city.server.url}/events/first`)).text();
    await expect.poll(readPage).toMatch(/Second Concert[\s\S]*Third Concert/);
    return city;
  });

  test("from an event a reader goes on to others of that day and in its neighborhood", async ({
    page,
  }) => {
    await page.setViewportSize(phone);
    await page.goto("/events/first");
    await waitForHydration(page);
    const rows = (heading: string) => getList(page, heading).getByRole("listitem");
    await expect(rows("Also that day").getByRole("link")).toHaveText(["Second Concert"]);
    await expect(rows("More in Hampden").getByRole("link")).toHaveText(["Third Concert"]);
    await page.getByRole("link", { name: "More in Hampden" }).click();
    await expect(page).toHaveURL("/events?place=hampden");
    await page.goBack();
    await page.getByRole("link", { name: "Also that day" }).click();
    await expect(page).toHaveURL(/\/events\?day=/);
    await expect(page.getByRole("main")).toContainText("Second Concert");
    await page.goBack();
    await rows("More in Hampden").getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Third Concert");
    await expect(rows("More in Hampden").getByRole("link")).toHaveText(["First Concert"]);
    await expect(rows("Coming up").getByRole("link")).toHaveText([
      "Second Concert",
      "Fourth Concert",
    ]);
  });

  test("the page for everything that is missing has the newest headlines, and is stored once", async ({
    page,
    request,
  }) => {
    await page.goto("/news/nothing");
    const links = getList(page, "Latest news").getByRole("listitem").getByRole("link");
    await expect(links).toHaveCount(5);
    for (const link of await links.all())
      await expect(link).toHaveAttribute("href", /^https?:\/\/paper\.example\//);
    const bodies = await Promise.all(
      ["/news/nothing-2", "/news/nothing-3"].map(async (path) => (await request.get(path)).text()),
    );
    expect(bodies[0]).toContain("What Baltimore will remember of this week");
    expect(bodies[1]).toBe(bodies[0]);
  });

  test("the arrow of a link to another site is always on the line of the last word", async ({
    page,
  }) => {
    await page.goto("/local");
    const row = page.locator(".feed-row", { has: page.locator("h3 svg") }).first();
    const lonely = await row.evaluate((element) => {
      const icon = element.querySelector("h3 svg");
      const text = icon?.closest("a")?.firstChild;
      const word = document.createRange();
      if (!icon || !(text instanceof Text)) throw new Error("The row has no arrow.");
      word.setStart(text, text.length - 1);
      word.setEnd(text, text.length);
      return Array.from({ length: 300 }, (_, index) => index + 150).filter((width) => {
        if (element instanceof HTMLElement) element.style.width = `${width}px`;
        return icon.getBoundingClientRect().top > word.getBoundingClientRect().bottom;
      });
    });
    expect(lonely).toEqual([]);
  });
});
