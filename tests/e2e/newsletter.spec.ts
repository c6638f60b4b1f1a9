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
    // A letter of samples alone does not go out.
    const isReal = (source: string) => source.replace("sample: true\n", "");
    city = await startCity({ "news/public-markets.md": isReal });
    await use(city.server.url);
    await city.close();
  },
});

const reader = "letter-reader@example.com";

/** The link to a page in the mail that lies in the outbox for our reader. */
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

const faults = async (axe: AxeBuilder) => (await axe.analyze()).violations.map(({ id }) => id);

test("a reader signs up under a blog post, confirms without JavaScript, gets the letter and ends it", async ({
  page,
  browser,
  baseURL,
}) => {
  const plain = await (await browser.newContext({ javaScriptEnabled: false, baseURL })).newPage();
  await plain.goto("/blog/film-your-street-with-a-phone");
  const main = plain.getByRole("main");
  await main.getByLabel("E-mail address").fill(reader);
  await main.getByRole("button", { name: "Subscribe" }).click();
  await expect(main.getByRole("status")).toContainText("a confirmation is pending");

  const confirm = await waitForLink("confirm");
  await page.goto(confirm);
  await hydrated(page);
  await expect(page.getByRole("button", { name: "Yes, send me the letter" })).toBeVisible();
  expect(await faults(createAxe(page).include("main"))).toEqual([]);
  await plain.goto(confirm);
  await plain.getByRole("button", { name: "Yes, send me the letter" }).click();
  await expect(main.getByRole("status")).toContainText("the letter comes to you from now on");
  // The other window still shows the button; pressed, it says how things are.
  await page.getByRole("button", { name: "Yes, send me the letter" }).click();
  await expect(
    page.getByRole("main").getByRole("status").filter({ hasText: "This link has done its work" }),
  ).toBeFocused();

  expect((await runInServer(city.dataDir, ["digest", "send", "--yes"])).code).toBe(0);
  await page.goto(await waitForLink("unsubscribe"));
  await hydrated(page);
  await page.getByRole("button", { name: "End the letter" }).click();
  await expect(
    page.getByRole("main").getByRole("status").filter({ hasText: "your address is deleted" }),
  ).toBeFocused();
  expect(await faults(createAxe(page).include("main"))).toEqual([]);
  await plain.goto(confirm);
  await expect(plain.getByRole("main")).toContainText("We do not know this link");
  await plain.context().close();
});
