import { crawl } from "../support/crawl.ts";
import { desktop, expect, phone, test } from "./support.ts";

for (const [name, viewport] of Object.entries({ desktop, phone })) {
  test(`at ${name} width, every page reached by a click is the page a direct load shows`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.setTimeout(480_000);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    await context.addInitScript(() => localStorage.setItem("donation.never", "1"));
    const direct = await context.newPage();
    await direct.emulateMedia({ reducedMotion: "reduce" });
    const { differences, clicks } = await crawl({
      origin: baseURL ?? "",
      reader: page,
      direct,
      clicks: "once",
      // A light page, because the reader comes back to it after every link of the header and the footer.
      start: "/terms",
    });
    expect(differences).toEqual([]);
    expect(clicks).toBeGreaterThan(80);
  });
}
