import type { Page } from "@playwright/test";
import { startCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { shareCity } from "./own-city.ts";
import { createAxe, expect, phone, test, waitForHydration } from "./support.ts";

const readCity = shareCity(test, () =>
  startCity(
    {},
    { TRUST_PROXY: "1" },
    {
      "desk.yaml": "editors: [{ name: Ana Reyes, email: ana@example.com }]\n",
    },
  ),
);

const storyTitle = "How White Marble Climbed to the Rowhouse Door";

async function signIn(page: Page): Promise<void> {
  const { dataDir } = readCity();
  const { output } = await runInServer(dataDir, ["desk", "link", "ana", "--json"]);
  const { pathname, search } = new URL(JSON.parse(output).link);
  await page.goto(pathname + search);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Waiting" })).toBeVisible();
}

for (const javaScriptEnabled of [true, false])
  test.describe(`on a phone ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled, viewport: phone });

    test("an editor finds a story, corrects it, takes it down and publishes it again", async ({
      page,
      request,
    }) => {
      await signIn(page);
      await page.getByRole("link", { name: "Published" }).click();
      await page.getByRole("searchbox", { name: "Words of the title" }).fill("marble");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("link", { name: storyTitle }).click();
      await expect(page.getByText("edit this in news/marble-steps.md")).toBeVisible();

      const correction = `The steps have ${javaScriptEnabled ? "four" : "five"} treads.`;
      const field = page.getByLabel("What was wrong, and what is right");
      await field.fill("  ");
      await page.getByRole("button", { name: "Publish the correction" }).click();
      await page.getByRole("link", { name: "Please write what was wrong, and" }).click();
      await field.fill(correction);
      await page.getByRole("button", { name: "Publish the correction" }).click();
      await expect(page.getByRole("listitem").filter({ hasText: correction })).toBeVisible();
      const notice = page.getByRole("main").getByRole("status").first();
      await expect(notice).toHaveText("You published the correction.");
      expect(await (await request.get("/news/marble-steps")).text()).toContain(correction);

      // From the list, one tap, one confirmation.
      await page.getByText("Take down now").click();
      await page.getByRole("button", { name: "Yes, take it down" }).click();
      await expect(notice).toHaveText("You took it down.");
      await expect(page.getByText("It is taken down")).toBeVisible();
      expect((await request.get("/news/marble-steps")).status()).toBe(410);

      // It is in the list of what is taken down, and not in that of the site.
      for (const [only, count] of [
        ["published", 0],
        ["down", 1],
      ] as const) {
        await page.getByRole("link", { name: "Published", exact: true }).click();
        await expect(page.getByRole("combobox", { name: "State" })).toHaveValue("");
        await page.getByRole("combobox", { name: "State" }).selectOption(only);
        await page.getByRole("searchbox", { name: "Words of the title" }).fill("marble");
        await page.getByRole("button", { name: "Search" }).click();
        await expect(page).toHaveURL(new RegExp(`q=marble&.*only=${only}`));
        await expect(page.getByRole("link", { name: storyTitle })).toHaveCount(count);
      }
      await page.getByRole("link", { name: storyTitle }).click();
      await page.getByRole("button", { name: "Publish again" }).click();
      await expect(notice).toHaveText("You published it again.");
      await expect(page.getByRole("link", { name: "Open on the site" })).toBeVisible();
      expect((await request.get("/news/marble-steps")).status()).toBe(200);
    });

    test("an editor corrects and deletes entries of a live story", async ({ page, request }) => {
      await signIn(page);
      await page.goto("/desk/write");
      await page.getByRole("button", { name: "New story" }).click();
      await page.getByLabel("Title", { exact: true }).fill("The storm");
      await page.getByLabel("Text", { exact: true }).fill("What we know.");
      await page.getByLabel("Section").selectOption("Community");
      await page.getByLabel("Summary").fill("A storm.");
      await page.getByText("Publish …").click();
      await page.getByRole("button", { name: "Publish now" }).click();
      const path =
        (await page.getByRole("link", { name: "Read it on the site" }).getAttribute("href")) ?? "";
      await page.goto(path.replace("/news/", "/desk/published/story/"));
      await page.getByRole("button", { name: "Make it live" }).click();
      const field = page.getByLabel("What has happened");
      for (const text of ["The brigde is closed.", "A tree is down."]) {
        await field.fill(text);
        await page.getByRole("button", { name: "Publish the entry" }).click();
        await expect(page.getByRole("listitem").filter({ hasText: text })).toBeVisible();
      }
      await page
        .getByRole("link", { name: /^Edit the entry/ })
        .last()
        .click();
      await expect(field).toHaveValue("The brigde is closed.");
      await field.fill(" ");
      await page.getByRole("button", { name: "Publish the changes" }).click();
      await page.getByRole("link", { name: "Please write what has happened." }).click();
      await field.fill("The bridge is closed.");
      await page.getByRole("button", { name: "Publish the changes" }).click();
      const notice = page.getByRole("main").getByRole("status").first();
      await expect(notice).toHaveText("You published the new text of the entry.");
      const tree = page.getByRole("listitem").filter({ hasText: "A tree is down." });
      await tree.getByText("Delete", { exact: true }).click();
      await tree.getByRole("button", { name: "Yes, delete it" }).click();
      await expect(notice).toHaveText("You deleted the entry. The versions still have it.");
      await expect(tree).toHaveCount(0);
      const html = await (await request.get(path)).text();
      expect(html).toContain("The bridge is closed.");
      expect(html).not.toContain("A tree is down.");

      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByRole("button", { name: "End live" }).click();
      await expect(other.getByRole("button", { name: "Make it live" })).toBeVisible();
      await field.fill("The storm is over.");
      await page.getByRole("button", { name: "Publish the entry" }).click();
      await expect(page.getByRole("link", { name: "This story is not live." })).toBeVisible();
      await expect(page.getByRole("button", { name: "Make it live" })).toBeVisible();
      await expect(field).toHaveValue("The storm is over.");
    });
  });

test("text that was typed while the page loaded is offered again, but not after another one was published", async ({
  page,
}) => {
  await signIn(page);
  const typed = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client/, async (route) => {
    await typed.promise;
    await route.fallback();
  });
  const field = page.getByLabel("What was wrong, and what is right");
  const offer = page.getByText("and it was not sent");
  await page.goto("/desk/published/story/marble-steps", { waitUntil: "commit" });
  await field.fill("Not sent.");
  typed.resolve();
  await waitForHydration(page);
  await page.goto("/desk/published/story/marble-steps");
  await expect(offer).toBeVisible();
  await field.fill("The steps are swept on Saturdays.");
  await page.getByRole("button", { name: "Publish the correction" }).click();
  await expect(page.getByText("You published the correction.")).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test("its pages fit on a small phone and pass axe, in light and dark", async ({ page }) => {
  await signIn(page);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/desk/published", "/desk/published/story/marble-steps"]) {
    await page.goto(path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await createAxe(page).analyze()).violations).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});
