import { cpSync } from "node:fs";
import { join } from "node:path";
import { dailyBriefs } from "../../app/features/brief/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { startServer, temporaryFolder } from "../support/server.ts";
import { createAxe, expect, phone, test, waitForHydration } from "./support.ts";

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this parameter, and this fixture has none
  async baseURL({}, use) {
    const folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    cpSync(process.env.DATA_TEMPLATE ?? "", dataDir, { recursive: true });
    const database = await openDatabase({ dataDir, onError: console.error });
    await database.db.delete(dailyBriefs);
    const madeAt = new Date("2026-11-13T12:00:00Z");
    await database.db.insert(dailyBriefs).values({
      day: "2026-11-13",
      hasNews: true,
      createdAt: madeAt,
      updatedAt: madeAt,
      content: {
        headlines: [
          {
            title: "A bridge reopens",
            link: "https://news.example/bridge",
            source: "The Example",
            summary: "Cars may cross again.",
            time: { iso: "2026-11-13T10:00:00.000Z", shown: "5:00 AM" },
            paywall: true,
          },
        ],
        goodToKnow: [],
        areEventsToday: true,
        events: [],
        stories: ["marble-steps"],
        fact: { text: "Crabs walk sideways.", link: null },
      },
    });
    await database.close();
    const server = await startServer({
      DATA_DIR: dataDir,
      FAKE_NOW: "2026-11-15T15:00:00Z",
    });
    // The server makes the brief of today a moment after it has started.
    await expect.poll(() => server.output()).toContain("brief.made");
    await use(server.url);
    await server.stop();
    await folder.remove();
  },
});

test("a reader opens the brief from the footer, reads an earlier day, and comes back", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/about");
  await waitForHydration(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "Daily brief" }).click();
  const main = page.getByRole("main");
  await expect(page.getByRole("heading", { level: 1, name: "The Daily Brief" })).toBeVisible();
  await expect(main).toContainText("Baltimore in two minutes, every morning at seven.");
  await expect(main).toContainText("Sunday, November 15, 2026");
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([
    "Good to know",
    "Events today",
    "From our newsroom",
    "Did you know?",
    "On air",
  ]);
  expect((await createAxe(page).include("main").analyze()).violations).toEqual([]);

  await main.getByRole("link", { name: "All briefs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /earlier days/ })).toBeVisible();
  await expect(main).toContainText("Baltimore in two minutes, every morning at seven.");
  await main.getByRole("link", { name: "Friday, November 13, 2026", exact: true }).click();
  await expect(page).toHaveURL(/\/brief\/2026-11-13$/);
  const headline = main.getByRole("listitem").filter({ hasText: "A bridge reopens" });
  await expect(headline).toContainText("The Example · 5:00 AM · Subscription");
  await expect(headline.getByRole("link")).toHaveAttribute("href", "https://news.example/bridge");
  expect((await createAxe(page).include("main").analyze()).violations).toEqual([]);
  await page.goBack();
  await expect(main.getByRole("heading", { name: "November 2026" })).toBeVisible();
  await page.goForward();
  await main.getByRole("link", { name: "Later brief" }).click();
  await expect(page).toHaveURL(/\/brief\/2026-11-15$/);

  // On paper there is only the brief itself, with its URL.
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(main.getByText("All briefs")).toBeHidden();
  await expect(
    main.getByText("https://baltimore.harborline.example/brief/2026-11-15"),
  ).toBeVisible();
});

test("the newsletter's page shows the brief before it asks for an email address, and leads to the form", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/newsletter");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 2 }).first()).toHaveText(
    "The Daily Brief, Sunday, November 15, 2026",
  );
  expect((await createAxe(page).include("main").analyze()).violations).toEqual([]);
  await expect(main.getByLabel("Email address")).not.toBeInViewport();
  await main.getByRole("link", { name: "Subscribe" }).click();
  await expect(main.getByLabel("Email address")).toBeInViewport();
});
