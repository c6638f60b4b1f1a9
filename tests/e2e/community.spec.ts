import { expect, test, waitForHydration } from "./support.ts";

test("Volunteer Today scrolls to the volunteer section and focuses it, and all links are large enough to touch", async ({
  page,
}) => {
  await page.goto("/community");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Volunteer Today" }).click();
  await expect(page.locator("#volunteer")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Volunteer Opportunities" })).toBeInViewport();
  const heights = await page
    .locator("main a")
    .evaluateAll((links) =>
      links.map((link) => [link.textContent, link.getBoundingClientRect().height] as const),
    );
  expect(heights.length).toBeGreaterThan(20);
  expect(heights.filter(([, height]) => height < 24)).toEqual([]);
});
