import { crawl } from "../support/crawl.ts";
import { type SecondCity, startSecondCity } from "../support/second-city.ts";
import { desktop, expect, phone, test } from "./support.ts";

let city: SecondCity;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  city = await startSecondCity();
});
test.afterAll(() => city?.close());

test("a city from one command shows the same after a click as after a direct load", async ({
  page,
  context,
}) => {
  test.setTimeout(900_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const direct = await context.newPage();
  await direct.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(desktop);
  const { differences, clicks } = await crawl({
    origin: city.server.url,
    reader: page,
    direct,
    clicks: "kinds",
    otherViewport: phone,
    start: "/terms",
  });
  expect(differences).toEqual([]);
  expect(clicks).toBeGreaterThan(20);
});
