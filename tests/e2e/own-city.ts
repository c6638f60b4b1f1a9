import type { PlaywrightTestArgs, PlaywrightTestOptions, TestType } from "@playwright/test";
import type { TestCity } from "../support/city.ts";

/**
 * Gives the tests of a file one server of their own, which starts with the first test. The tests
 * run one after the other, so that it is started only once. Returns a function that returns it.
 */
export function shareCity<City extends Pick<TestCity, "server" | "close">>(
  test: TestType<PlaywrightTestArgs & PlaywrightTestOptions, object>,
  start: () => Promise<City>,
): () => City {
  let city: City | undefined;
  test.describe.configure({ mode: "default" });
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this parameter, and this fixture has none
    async baseURL({}, use) {
      city ??= await start();
      await use(city.server.url);
    },
  });
  test.afterAll(async () => {
    await city?.close();
    city = undefined;
  });
  return () => {
    if (!city) throw new Error("The city is started before a test, not before the file.");
    return city;
  };
}
