import { crawl } from "../support/crawl.ts";
import { startSecondCity } from "../support/second-city.ts";
import { shareCity } from "./own-city.ts";
import { desktop, expect, phone, test } from "./support.ts";

shareCity(test, () => startSecondCity({ TRUST_PROXY: "1" }));

test("a city from one command shows the same after a click as after a direct load", async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(900_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const direct = await context.newPage();
  await direct.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(desktop);
  const { differences, clicks } = await crawl({
    origin: baseURL ?? "",
    reader: page,
    direct,
    clicks: "kinds",
    otherViewport: phone,
    start: "/terms",
  });
  expect(differences).toEqual([]);
  expect(clicks).toBeGreaterThan(20);
});
