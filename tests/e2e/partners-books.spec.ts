import { test as baseTest } from "@playwright/test";
import { startCity } from "../support/city.ts";
import { expect, stopClock, test, waitForHydration } from "./support.ts";

test.describe("the partnership documents", () => {
  test("each have a 4:3 preview, a view link and a download link", async ({ page, request }) => {
    await page.goto("/partners");
    await expect(page).toHaveTitle(/^Partners/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Our Partners");
    const section = page.getByRole("region", { name: "Partnership Documents" });
    await expect(section.getByRole("heading", { level: 3 })).toHaveText([
      "Partnership Document 1",
      "Partnership Document 2",
      "Partnership Document 3",
    ]);
    for (const card of await section.getByRole("listitem").all()) {
      const box = await card.getByRole("img").boundingBox();
      expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1);
      const view = card.getByRole("link", { name: /^View Full Document/ });
      await expect(view).toHaveAttribute("target", "_blank");
      const viewResponse = await request.get((await view.getAttribute("href")) ?? "");
      expect(viewResponse.headers()["content-type"]).toBe("application/pdf");
      expect(viewResponse.headers()["content-disposition"]).toBeUndefined();
      const pdf = (await viewResponse.body()).toString("latin1");
      expect(pdf).toMatch(/^%PDF-/);
      expect(new Set(pdf.match(/(?<=\/FontName \/\w+\+)[A-Za-z]+/g))).toEqual(
        new Set(["Newsreader", "LibreFranklin"]),
      );
      const download = card.getByRole("link", { name: /^Download/ });
      const downloadResponse = await request.get((await download.getAttribute("href")) ?? "");
      expect(downloadResponse.headers()["content-disposition"]).toMatch(
        /^attachment; filename="partnership-document-\d\.pdf"$/,
      );
    }
  });

  baseTest(
    "come from the cloud drive if the city uses one, and load only when the reader asks",
    async ({ page }) => {
      const city = await startCity({
        "partners.yaml": (source) =>
          source.replace('id: "1"', 'id: "1"\n      drive: 1AbCdEfGhIjKlMn'),
        "embeds.yaml": (source) =>
          `${source}  drive: { name: Google Drive, hosts: ["https://drive.google.com"] }\n`,
      });
      const requests: string[] = [];
      await page.route("https://drive.google.com/**", async (route) => {
        requests.push(route.request().url());
        await route.fulfill({ contentType: "text/html", body: "preview" });
      });
      await page.goto(`${city.server.url}/partners`, { waitUntil: "networkidle" });
      await waitForHydration(page);
      expect(requests).toEqual([]);
      await page.getByRole("button", { name: "Load the document" }).click();
      await expect
        .poll(() => requests)
        .toEqual(["https://drive.google.com/file/d/1AbCdEfGhIjKlMn/preview"]);
      await expect(page.getByRole("link", { name: /^Download/ }).first()).toHaveAttribute(
        "href",
        "https://drive.google.com/uc?export=download&id=1AbCdEfGhIjKlMn",
      );
      await city.close();
    },
  );
});

test.describe("the books page", () => {
  test("has no site header or footer, but a link home, the banner and 45 books", async ({
    page,
  }) => {
    await stopClock(page);
    await page.goto("/books");
    await waitForHydration(page);
    await expect(page.getByRole("banner").getByRole("navigation")).toHaveCount(0);
    await expect(page.getByRole("contentinfo")).toHaveCount(0);
    await expect(page.getByRole("link", { name: /Back to/ })).toHaveAttribute("href", "/");
    for (const name of [/^Apply for Admission/, /^Learn More/])
      await expect(page.getByRole("link", { name })).toHaveAttribute("target", "_blank");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Books");
    await expect(page.getByRole("link", { name: /^Edgar Allan Poe on Amazon/ })).toHaveAttribute(
      "href",
      "https://www.amazon.com/s?k=Edgar+Allan+Poe&i=stripbooks",
    );
    const links = page.getByRole("link", { name: /^View on Amazon/ });
    await expect(links).toHaveCount(45);
    await expect(links.first()).toHaveAttribute("target", "_blank");
    await expect(page.getByText("Amazon Associate")).toHaveCount(0);
    await page.clock.runFor(60_000);
    await expect(page.getByRole("complementary")).toHaveCount(0);
  });

  test("has 2, 3, 4 or 5 columns, depending on the screen width", async ({ page }) => {
    await page.goto("/books");
    for (const [width, columns] of [
      [390, 2],
      [800, 3],
      [1100, 4],
      [1440, 5],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const tops = await page
        .locator("main li")
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
      expect(tops.filter((top) => top === tops[0]).length, `at ${width} px`).toBe(columns);
    }
  });

  for (const when of ["before React starts", "later"]) {
    baseTest(
      `shows a placeholder for a cover that fails to load ${when}`,
      async ({ page, baseURL }) => {
        await page.route("**/covers/the-raven.svg", (route) => route.abort());
        if (when === "later") await page.setViewportSize({ width: 390, height: 400 });
        else await page.setViewportSize({ width: 1440, height: 9_000 });
        await page.goto(`${baseURL}/books`);
        await waitForHydration(page);
        const cover = page.locator("li", { hasText: "The Raven" }).first().locator("img");
        await cover.scrollIntoViewIfNeeded();
        await expect(cover).toHaveAttribute("src", "/covers/placeholder.svg");
        await expect
          .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
      },
    );
  }
});
