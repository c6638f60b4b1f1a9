import { readdirSync } from "node:fs";
import { desktop, expect, test } from "./support.ts";

const ids = (folder: string) =>
  readdirSync(`sites/baltimore/${folder}`).map((name) => name.replace(/\.md$/, ""));

test("there are eight stories, each a whole page with its own picture", async ({ page }) => {
  const pictures = new Set<string | null>();
  for (const id of ids("news")) {
    await page.goto(`/news/${id}`);
    const story = page.getByRole("main").locator("article").first();
    const words = ((await story.locator(".prose").textContent()) ?? "").split(/\s+/).length;
    expect(words, id).toBeGreaterThanOrEqual(300);
    expect(words, id).toBeLessThanOrEqual(620);
    await expect(story, id).toContainText("This is a sample story by Harborline");
    await expect(page.getByRole("heading", { name: "More stories" })).toBeVisible();
    pictures.add(await story.locator("img").first().getAttribute("src"));
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
    expect(data).toMatchObject({
      "@type": "NewsArticle",
      headline: await page.getByRole("heading", { level: 1 }).textContent(),
      mainEntityOfPage: `https://baltimore.harborline.example/news/${id}`,
    });
  }
  expect(pictures.size).toBe(8);
});

test("a sample event has a page that is never in the past, and is not given to search engines as a fact", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  for (const id of ["lantern-walk", "community-supper"]) {
    await page.goto(`/events/${id}`);
    await expect(page.getByText("This event is over.")).toHaveCount(0);
    await expect(page.locator("h1 + p")).toHaveText(/^This is a sample event\..*does not take place\.$/);
    await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(0);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  }
});

test("what is no story and no event is no page", async ({ request }) => {
  for (const path of ["/news/none", "/events/none", "/news/../site", "/news/marble-steps/x", "/news/%00"])
    expect([400, 404], path).toContain((await request.get(path)).status());
});
