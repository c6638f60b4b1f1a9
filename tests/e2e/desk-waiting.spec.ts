import { test } from "@playwright/test";
import sharp from "sharp";
import { startCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { createSignInPath, deskYaml, storeMessages } from "../support/waiting.ts";
import { createAxe, expect, phone } from "./support.ts";

test("a reader's story is edited and approved on a phone, taken back and rejected, with and without scripts", async ({
  browser,
}) => {
  const startedAt = Date.now();
  const city = await startCity(
    {},
    { FAKE_NOW: new Date(startedAt).toISOString() },
    { "desk.yaml": deskYaml },
    (dataDir) => storeMessages(dataDir, 500, new Date(startedAt - 3_600_000)),
  );
  try {
    const reader = await browser.newPage({ baseURL: city.server.url, javaScriptEnabled: false });
    await reader.goto("/community/submit");
    // The server refuses a form that is sent within two seconds. Its clock must not go back, however
    // long it took to start.
    await city.server.setClock(new Date(startedAt + 3_600_000).toISOString());
    const photo = sharp({ create: { width: 800, height: 500, channels: 3, background: "teal" } });
    await reader.locator("[name=title]").fill("The Cat of Pier 5");
    await reader.locator("[name=story]").fill("It began with a cat.");
    await reader.getByLabel("Your email").fill("ann@example.com");
    await reader.locator("[name=images]").setInputFiles({
      name: "cat.jpg",
      mimeType: "image/jpeg",
      buffer: await photo.jpeg().toBuffer(),
    });
    await reader.locator("[name=consent]").check();
    await reader.getByRole("button", { name: "Send Your Story" }).click();
    const readStatus = async () => (await reader.request.get("/news/captain")).status();

    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.newPage({
        baseURL: city.server.url,
        viewport: phone,
        javaScriptEnabled,
      });
      const signIn = async () => {
        await page.goto(await createSignInPath(city.dataDir));
        await page.getByRole("button", { name: "Sign in" }).click();
      };
      const openStory = async () => {
        await page.getByRole("link", { name: "Stories 1" }).click();
        await page.waitForURL("/desk/waiting?kind=story");
        await page.getByRole("link", { name: "The Cat of Pier 5" }).click();
      };
      await signIn();
      const list = await (await page.request.get("/desk/waiting")).body();
      expect(list.byteLength).toBeLessThan(200_000);
      await expect(page.getByRole("link", { name: "Devices" })).toBeInViewport({ ratio: 1 });
      // The button says what it does with the selected kinds.
      await page
        .getByRole("checkbox", { name: /^Select The pier/ })
        .first()
        .check();
      await expect(page.getByRole("button", { name: "Done", exact: true })).toBeVisible();
      await page.getByRole("checkbox", { name: "Select The Cat of Pier 5" }).check();
      await expect(page.getByRole("button", { name: "Approve / Done" })).toBeVisible();
      await openStory();
      await expect(page.getByRole("link", { name: "← Waiting" })).toHaveAttribute(
        "href",
        "/desk/waiting?kind=story",
      );
      await expect(page.getByText("No image description.")).toBeVisible();
      if (javaScriptEnabled) {
        const width = () => page.evaluate(() => document.documentElement.scrollWidth);
        expect(await width()).toBe(phone.width);
        expect((await createAxe(page).analyze()).violations).toEqual([]);
      }
      // What was restored from the bin has what the editor typed before in its fields.
      await page.getByLabel("Image description").fill("");
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("link", { name: "Image 1 needs a description." }).click();
      await page.getByLabel("Image description").fill("A grey cat");
      await page.getByLabel("Title").fill("Captain");
      if (javaScriptEnabled) {
        await page.context().setOffline(true);
        await page.getByRole("button", { name: "Approve" }).click();
        await expect(page.getByText("There is no connection, so this page stays")).toBeVisible();
        await page.context().setOffline(false);
        await runInServer(city.dataDir, ["desk", "sign-out", "ana"]);
        await page.getByRole("button", { name: "Approve" }).click();
        await expect(page).toHaveURL(/\/desk\?to=%2Fdesk%2Fwaiting%2Fstory%2F/);
        await signIn();
        await openStory();
        await page.getByRole("button", { name: "Restore" }).click();
        await expect(page.getByLabel("Title")).toHaveValue("Captain");
        // The field for a reason is above the buttons, and nothing covers it.
        await page.getByText("Reject with a reason").click();
        await page.getByLabel("Reason").click();
        await page.getByText("Reject with a reason").click();
      }
      await page.getByRole("button", { name: "Approve" }).click();
      await expect(page.getByText("Approved “Captain”.")).toBeVisible();
      await expect.poll(readStatus).toBe(200);
      await page.getByRole("button", { name: "Undo: Approved “Captain”" }).click();
      await expect(page.getByText("Undone.")).toBeVisible();
      await expect.poll(readStatus).toBe(404);
      // The story is as the reader sent it, and the editor's changes are in the fields.
      await expect(page.getByRole("heading", { name: "The Cat of Pier 5" })).toBeVisible();
      await expect(page.getByLabel("Title")).toHaveValue("Captain");
      await expect(page.getByLabel("Image description")).toHaveValue("A grey cat");
      await page.getByRole("link", { name: "← Waiting" }).click();
      await page.getByRole("link", { name: "Stories 1" }).click();
      await page.getByRole("checkbox", { name: "Select The Cat of Pier 5" }).check();
      await page.getByRole("button", { name: "Reject", exact: true }).click();
      await expect(page.getByText("Rejected “The Cat of Pier 5”.").first()).toBeVisible();
      await expect(page.getByText("All quiet.")).toBeVisible();
      await page.getByRole("link", { name: "Bin" }).click();
      await page.getByRole("link", { name: "The Cat of Pier 5" }).click();
      await expect(page.getByText("Rejected “The Cat of Pier 5”.")).toBeHidden();
      await page.getByRole("link", { name: "← Bin" }).click();
      await page.getByRole("checkbox", { name: "Select The Cat of Pier 5" }).check();
      await page.getByRole("button", { name: "Restore" }).click();
      await expect(page.getByText("Restored.")).toBeVisible();
    }
  } finally {
    await city.close();
  }
});
