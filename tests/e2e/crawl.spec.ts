import { crawl } from "../support/crawl.ts";
import { desktop, expect, phone, test } from "./support.ts";

test("every kind of page shows the same after a click as after a direct load, and its links are clickable on a phone too", async ({
  page,
  context,
  baseURL,
}) => {
  // A busy machine needs many minutes for all these pages.
  test.setTimeout(1_800_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await context.addInitScript(() => localStorage.setItem("donation.never", "1"));
  const direct = await context.newPage();
  await direct.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(desktop);
  const { differences, clicks } = await crawl({
    origin: baseURL ?? "",
    reader: page,
    direct,
    clicks: "kinds",
    otherViewport: phone,
    // A small page, because the reader returns to it after every link of the header and the footer.
    start: "/terms",
  });
  expect(differences).toEqual([]);
  expect(clicks).toBeGreaterThan(50);
});
