import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type AxeBuilder from "@axe-core/playwright";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { createAxe, expect, test, waitForHydration } from "./support.ts";

let city: TestCity;
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this parameter, and this fixture has none
  async baseURL({}, use) {
    // The server does not send a newsletter that contains only samples, so one story is not a
    // sample.
    const removeSample = (source: string) => source.replace("sample: true\n", "");
    city = await startCity({ "news/public-markets.md": removeSample });
    await use(city.server.url);
    await city.close();
  },
});

const reader = "newsletter-reader@example.com";

/** Finds the link to a page in the emails to our reader that are in the outbox. */
async function findMailedLink(page: string): Promise<string | null> {
  const folder = join(city.dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  const readerMails = mails.filter((mail) => mail.includes(`To: ${reader}`)).join("\n");
  const text = readerMails.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return new RegExp(`https://[^/]+(/newsletter/${page}\\?token=[\\w.-]+)`).exec(text)?.[1] ?? null;
}

async function waitForLink(page: string): Promise<string> {
  await expect.poll(() => findMailedLink(page)).not.toBeNull();
  return (await findMailedLink(page)) ?? "";
}

const findViolations = async (axe: AxeBuilder) =>
  (await axe.analyze()).violations.map(({ id }) => id);

test("a reader subscribes below a blog post, confirms without JavaScript, gets the newsletter and unsubscribes", async ({
  page,
  browser,
  baseURL,
}) => {
  const noScriptPage = await (
    await browser.newContext({ javaScriptEnabled: false, baseURL })
  ).newPage();
  await noScriptPage.goto("/blog/film-your-street-with-a-phone");
  const main = noScriptPage.getByRole("main");
  await main.getByLabel("Email address").fill(reader);
  await main.getByRole("button", { name: "Subscribe" }).click();
  await expect(main.getByRole("status")).toContainText("a confirmation is pending");

  const confirmPath = await waitForLink("confirm");
  await page.goto(confirmPath);
  await waitForHydration(page);
  await expect(page.getByRole("button", { name: "Yes, subscribe me" })).toBeVisible();
  expect(await findViolations(createAxe(page).include("main"))).toEqual([]);
  await noScriptPage.goto(confirmPath);
  await noScriptPage.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(main.getByRole("status")).toContainText("You are subscribed");
  // The other window still shows the button. A click on it shows that the link was already used.
  await page.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(
    page
      .getByRole("main")
      .getByRole("status")
      .filter({ hasText: "You have already used this link" }),
  ).toBeFocused();

  expect((await runInServer(city.dataDir, ["newsletter", "send", "--yes"])).code).toBe(0);
  // Other readers see the issue before they subscribe, without our reader's link.
  await noScriptPage.goto("/newsletter");
  const issue = main.getByRole("region", { name: /^The week in Baltimore, / });
  await expect(issue.getByRole("link").first()).toBeVisible();
  expect(await noScriptPage.content()).not.toMatch(/unsubscribe\?token|newsletter-reader@/);
  await page.goto(await waitForLink("unsubscribe"));
  await waitForHydration(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(
    page.getByRole("main").getByRole("status").filter({ hasText: "your email address is deleted" }),
  ).toBeFocused();
  expect(await findViolations(createAxe(page).include("main"))).toEqual([]);
  await noScriptPage.goto(confirmPath);
  await expect(noScriptPage.getByRole("main")).toContainText("We do not recognize this link");
  await noScriptPage.context().close();
});
