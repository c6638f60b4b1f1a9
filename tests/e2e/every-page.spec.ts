import type AxeBuilder from "@axe-core/playwright";
import type { Page, Request } from "@playwright/test";
import { pagePaths } from "../support/routes.ts";
import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";

async function findViolations(axe: AxeBuilder) {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => ({ id, elements: nodes.map((node) => node.target) }));
}

/**
 * Pages whose parts differ from those of the other pages. Only these are checked again in dark mode
 * and on a wide screen, because the other pages consist of the same parts.
 */
const distinctPages = ["/", "/news", "/events", "/blog", "/faq", "/radio", "/contact", "/books"];

/**
 * The header and the footer are the same on all pages, so they are checked only on the home page.
 */
const createPageAxe = (page: Page, path: string) =>
  path === "/" ? createAxe(page) : createAxe(page).exclude(".site-header").exclude("footer.navy");

/** React and React Router are 92 KB of each: see docs/performance.md. */
const firstVisitKb: Record<string, number> = {
  "/": 121,
  "/news": 122,
  "/events": 124,
  "/blog": 132,
  "/stories": 121,
  "/news/marble-steps": 121,
  "/local": 124,
  "/about": 116,
};

type Shift = { value: number; moved: string[] };

/**
 * Records all layout shifts from the start of the page load. Returns a function that reads them.
 */
async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const nodes: { node?: Node }[] = Reflect.get(entry, "sources");
        const moved = nodes.map(
          ({ node }) => `${node?.nodeName} "${node?.textContent?.slice(0, 30)}"`,
        );
        shifts.push({ value: Reflect.get(entry, "value"), moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate((): Shift[] => Reflect.get(window, "shifts"));
}

/**
 * Returns a function that waits until all requests have ended, and adds up the sizes of the scripts.
 */
function watchScripts(page: Page): () => Promise<number> {
  const pending = new Set<Request>();
  const scripts: Request[] = [];
  page.on("request", (request) => pending.add(request));
  page.on("requestfinished", (request) => {
    pending.delete(request);
    if (request.resourceType() === "script") scripts.push(request);
  });
  return async () => {
    await expect.poll(() => pending.size).toBe(0);
    const sizes = await Promise.all(scripts.map((script) => script.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
}

for (const path of pagePaths) {
  test(`${path} does not shift while it loads, even if our fonts are late, loads little JavaScript, has no accessibility violations, and stores nothing on the device`, async ({
    page,
    context,
  }) => {
    const readShifts = await watchShifts(page);
    const readScriptBytes = watchScripts(page);
    const maxKb = firstVisitKb[path];
    if (maxKb) await page.clock.install();
    // Otherwise colors could be measured in the middle of a transition.
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize(phone);
    // Our fonts arrive after everything else, as on a slow connection.
    const fontsAllowed = Promise.withResolvers<void>();
    await page.route("**/*.woff2", async (route) => {
      await fontsAllowed.promise;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await waitForHydration(page);
    fontsAllowed.resolve();
    // Some code loads only when the page has been open for a second.
    if (maxKb) await page.clock.runFor(5_000);
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.fonts.ready);
    if (maxKb) {
      const bytes = await readScriptBytes();
      expect(bytes).toBeGreaterThan(100 * 1024);
      expect(bytes).toBeLessThanOrEqual(maxKb * 1024);
    }
    const shifts = await readShifts();
    // Not zero: on a few pages one paragraph has a line more or less in the fallback font (0.02).
    // Web Vitals rates up to 0.1 as good.
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(shifts),
    ).toBeLessThan(0.03);
    expect(await findViolations(createPageAxe(page, path))).toEqual([]);
    if (distinctPages.includes(path)) {
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize(desktop);
      expect(
        await findViolations(
          createPageAxe(page, path).withRules(["color-contrast", "target-size"]),
        ),
      ).toEqual([]);
    }
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });
}

test("the open menu and the open donation pop-up have no accessibility violations", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.clock.install();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/about");
    await waitForHydration(page);
    await page.clock.runFor(31_000);
    await expect(
      page.getByRole("complementary", { name: "Keep Harborline free to read" }),
    ).toBeVisible();
    expect(await findViolations(createAxe(page).include(".donation-popup"))).toEqual([]);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await findViolations(createAxe(page).include(".site-menu"))).toEqual([]);
  }
});
