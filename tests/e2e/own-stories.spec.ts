import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "@playwright/test";
import sharp from "sharp";
import { startCity } from "../support/city.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { shareCity } from "./own-city.ts";
import { expect, phone } from "./support.ts";

const getCity = shareCity(test, () => startCity({}));

// tests/integration/own-stories.test.ts tests what the server sends.
test("a saved story can be reached by clicking from five pages, also under its old name, and its correction from the footer", async ({
  page,
  request,
}) => {
  const city = getCity();
  const storyPath = (id: string) => join(city.siteFolder, "news", `${id}.md`);
  const read = async (path: string) => (await request.get(city.server.url + path)).text();
  const title = "Ferry Returns to Canton";
  const note = "The ferry has 60 seats, not 600.";
  const story = `---
title: ${title}
excerpt: What we know so far.
category: Neighborhoods
date: 2026-11-10
author: Ada Byrd
image: { file: ferry.jpg, alt: A ferry }
corrections: [{ date: 2026-11-12, text: "${note}" }]
---

The first paragraph of the story.
`;
  const photo = { width: 1_600, height: 1_000, channels: 3, background: "navy" } as const;
  await sharp({ create: photo }).jpeg().toFile(join(city.siteFolder, "news/ferry.jpg"));
  await writeFile(storyPath("ferry-returns"), story);
  // The browser has not opened this one before its name changes.
  const renamed = story.replace(title, "Reef Grows").replace(/^corrections.*\n/m, "");
  await writeFile(storyPath("old-reef"), renamed);
  const starts = ["/", "/news", "/local", "/stories", "/archives"];
  for (const start of starts) await expect.poll(() => read(start)).toContain(title);
  await page.setViewportSize(phone);
  for (const start of starts) {
    await page.goto(city.server.url + start);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width(), `${start} with a photo`).toBe(phone.width);
    await page.getByRole("main").getByRole("link", { name: title }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("By Ada Byrd");
    await expect(page).toHaveURL(/\/news\/ferry-returns$/);
  }
  await page.getByRole("contentinfo").getByText("More", { exact: true }).click();
  await page.getByRole("contentinfo").getByRole("link", { name: "Corrections" }).click();
  await page.getByRole("main").getByRole("link", { name: title }).click();
  await expect(page.getByRole("main")).toContainText(note);

  await expect.poll(() => read("/stories")).toContain("/news/old-reef");
  await page.goto(`${city.server.url}/stories`);
  await rename(storyPath("old-reef"), storyPath("new-reef"));
  await city.edit("redirects.yaml", (source) => `${source}/news/old-reef: /news/new-reef`);
  const readOldPath = async () =>
    (await request.get(`${city.server.url}/news/old-reef`, { maxRedirects: 0 })).status();
  await expect.poll(readOldPath).toBe(301);
  // The page still has the link to the old name.
  await page.getByRole("main").getByRole("link", { name: "Reef Grows" }).first().click();
  await expect(page).toHaveURL(/\/news\/new-reef$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reef Grows");
});

test("a new entry of a live story appears on the open page, until the story ends", async ({
  page,
}) => {
  const city = getCity();
  const write = (live: boolean, ...entries: string[]) =>
    city.save(
      "news/storm.md",
      `---
title: Storm in the Harbor
excerpt: What we know so far.
category: Neighborhoods
date: 2026-11-10 09:00
live: ${live}
---

The harbor is closed.

${entries.join("\n\n")}
`,
    );
  await write(true, "## 09:30 The first entry");
  await page.goto(`${city.server.url}/`);
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  const proxy = await startTcpProxy(city.server.url);
  await page.goto(`${proxy.url}/news/storm`);
  const main = page.getByRole("main");
  const promise = main.getByText("New entries appear here by themselves.");
  await expect(promise).toBeVisible();
  const lost = main.getByText("No connection. New entries appear here when it is back.");
  for (const [lose, restore] of [
    [() => page.context().setOffline(true), () => page.context().setOffline(false)],
    [() => proxy.disconnect(), () => proxy.reconnect()],
  ] as const) {
    await lose();
    await expect(lost.and(page.getByRole("status"))).toBeAttached();
    await expect(lost.and(page.locator("span"))).toBeVisible();
    await expect(promise).toHaveCount(0);
    await restore();
    await expect(promise).toBeVisible();
    await expect(lost).toHaveCount(0);
  }
  await write(true, "## 09:30 The first entry", "## 09:50 The second entry");
  const titles = main.getByRole("list").getByRole("heading", { level: 2, name: /entry/ });
  await expect(titles).toHaveText(["The second entry", "The first entry"]);
  await expect(main.getByText("New entry, 9:50 AM: The second entry")).toHaveRole("status");
  await main.getByRole("link", { name: "9:50 AM" }).click();
  await expect(page).toHaveURL(/#at-09-50$/);
  await write(false, "## 09:30 The first entry", "## 09:50 The second entry");
  const over = "This story is no longer updated.";
  await expect(main.getByRole("paragraph").filter({ hasText: over })).toBeVisible();
  await expect(main.getByRole("status").filter({ hasText: over })).toBeAttached();
  proxy.disconnect();
});
