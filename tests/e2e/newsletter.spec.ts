import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type AxeBuilder from "@axe-core/playwright";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { createAxe, expect, hydrated, test } from "./support.ts";

let city: TestCity;
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the parameter what a fixture needs, here nothing
  async baseURL({}, use) {
    // A newsletter with nothing but samples is not sent, so one story is not a sample.
    const removeSample = (source: string) => source.replace("sample: true\n", "");
    city = await startCity({ "news/public-markets.md": removeSample });
    await use(city.server.url);
    await city.close();
  },
});

const reader = "newsletter-reader@example.com";

/** The link to a page in the emails to our reader in the outbox. */
async function mailedLink(page: string): Promise<string | null> {
  const folder = join(city.dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  const ours = mails.filter((mail) => mail.includes(`To: ${reader}`)).join("\n");
  const text = ours.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return new RegExp(`https://[^/]+(/newsletter/${page}\\?token=[\\w.-]+)`).exec(text)?.[1] ?? null;
}

async function waitForLink(page: string): Promise<string> {
  await expect.poll(() => mailedLink(page)).not.toBeNull();
  return (await mailedLink(page)) ?? "";
}

const findViolations = async (axe: AxeBuilder) =>
  (await axe.analyze()).violations.map(({ id }) => id);

test("a reader subscribes below a blog post, confirms without JavaScript, gets the newsletter and unsubscribes", async ({
  page,
  browser,
  baseURL,
}) => {
  const plain = await (await browser.newContext({ javaScriptEnabled: false, baseURL })).newPage();
  await plain.goto("/blog/film-your-street-with-a-phone");
  const main = plain.getByRole("main");
  await main.getByLabel("Email address").fill(reader);
  await main.getByRole("button", { name: "Subscribe" }).click();
  await expect(main.getByRole("status")).toContainText("a confirmation is pending");

  const confirm = await waitForLink("confirm");
  await page.goto(confirm);
  await hydrated(page);
  await expect(page.getByRole("button", { name: "Yes, subscribe me" })).toBeVisible();
  expect(await findViolations(createAxe(page).include("main"))).toEqual([]);
  await plain.goto(confirm);
  await plain.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(main.getByRole("status")).toContainText("You are subscribed");
  // The other window still shows the button. Pressing it says that the link was already used.
  await page.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(
    page
      .getByRole("main")
      .getByRole("status")
      .filter({ hasText: "You have already used this link" }),
  ).toBeFocused();

  expect((await runInServer(city.dataDir, ["newsletter", "send", "--yes"])).code).toBe(0);
  await page.goto(await waitForLink("unsubscribe"));
  await hydrated(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(
    page.getByRole("main").getByRole("status").filter({ hasText: "your email address is deleted" }),
  ).toBeFocused();
  expect(await findViolations(createAxe(page).include("main"))).toEqual([]);
  await plain.goto(confirm);
  await expect(plain.getByRole("main")).toContainText("We do not recognize this link");
  await plain.context().close();
});
