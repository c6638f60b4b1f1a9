import type { Locator, Page } from "@playwright/test";

/** What a reader sees. */
type View = { url: string; title: string; heading: string; text: string };

export type Difference = { from: string; to: string; width: number; what: string };
type CrawlReport = { pages: number; clicks: number; differences: Difference[] };

type CrawlOptions = {
  origin: string;
  /**
   * The page that follows links by clicking. Its width decides whether the menu has to be opened
   * first.
   */
  reader: Page;
  /** The page that loads the same URLs directly, for comparison. */
  direct: Page;
  /**
   * "once": click every path once, where it is found first, and once with each of its filters.
   * "everywhere": click every link of every page.
   */
  clicks: "once" | "everywhere";
  /** Where to start; all header, menu and footer links of this page are clicked. */
  start?: string;
  /**
   * What a crawl at another width has learned. The server sends the same page for every width, so
   * it is not requested again. With "once", a link that was followed at the other width only has to
   * be clickable, unless it belongs to the header, menu or footer.
   */
  memory?: CrawlMemory;
  onPage?: (path: string, report: CrawlReport) => void;
};

export type CrawlMemory = { responses: Map<string, CrawlResponse>; compared: Set<string> };
export const createMemory = (): CrawlMemory => ({ responses: new Map(), compared: new Set() });

type Link = { path: string; region: Region };
type Region = keyof typeof regions;
/**
 * The response to a URL: a page with its links, or a feed, calendar or file, which only has to
 * exist.
 */
type CrawlResponse = { status: number; page: Inspection | null };
/** `resources` are images, iframes, forms and downloads; the crawl only checks that they exist. */
type Inspection = { view: View; links: Link[]; resources: string[] };

declare global {
  interface Window {
    inspect(root: Document, url: string): Inspection;
  }
}

const regions = { header: ".site-header", main: "main", footer: "footer" };
/** How long a page may take to show the same as a direct load. */
const settleMs = 10_000;
/** Most pages take no longer than this. */
const quickSettleMs = 1_000;

/**
 * Opens every page by clicking the links to it and compares it with a direct load of the same URL.
 * Then goes back and compares the previous page too. A page may load slowly, but it has to end up
 * with the same content.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const { origin, reader, direct, clicks, start = "/", memory = createMemory(), onPage } = options;
  const { responses, compared } = memory;
  const report: CrawlReport = { pages: 0, clicks: 0, differences: [] };
  const width = reader.viewportSize()?.width ?? 0;
  const clicked = new Set<string>();
  const queue = [start];
  const queued = new Set(queue);

  const reportDifference = (from: string, to: string, what: string) =>
    report.differences.push({ from, to, width, what });

  const load = async (page: Page, path: string) => {
    await page.goto(origin + path, { waitUntil: "domcontentloaded" });
    await page.locator("[popover=manual][data-live]").waitFor({ state: "attached" });
  };

  const responseTo = async (from: string, path: string): Promise<CrawlResponse> => {
    const known = responses.get(path);
    if (known) return known;
    const response = await fetchResponse(direct, path);
    if (response.status !== 200)
      reportDifference(from, path, `a direct load returns ${response.status}`);
    responses.set(path, response);
    return response;
  };

  /**
   * Waits until the reader sees what a direct load shows; if that does not happen, reports the
   * difference.
   */
  const compare = async (from: string, path: string): Promise<boolean> => {
    const { page } = await responseTo(from, path);
    if (isSame(await settle(reader, page?.view, quickSettleMs), page?.view)) return true;
    // Scripts may have changed the page that the server sent. They have to change it in the same
    // way after a click, now and later.
    await load(direct, path);
    const loaded = await readView(direct);
    if (page) page.view = loaded;
    const seen = await settle(reader, loaded, settleMs);
    if (isSame(seen, loaded)) return true;
    reportDifference(from, path, describeDifference(seen, loaded));
    return false;
  };

  for (const page of [reader, direct]) {
    await page.addInitScript(installInspector, regions);
    await load(page, start);
  }
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { links, resources } = (await responseTo(start, path)).page ?? {
      links: [],
      resources: [],
    };
    report.pages += 1;
    for (const resource of resources) await responseTo(path, resource);
    let isReaderOnPage = false;
    for (const link of links) {
      if (!(await responseTo(path, link.path)).page) continue;
      if (!queued.has(link.path)) {
        queued.add(link.path);
        queue.push(link.path);
      }
      const isInLayout = path === start && link.region !== "main";
      if (clicks === "once" && clicked.has(pathAndFilter(link.path)) && !isInLayout) continue;
      if (!isReaderOnPage) await load(reader, path);
      isReaderOnPage = true;
      const wasCompared =
        clicks === "once" && compared.has(pathAndFilter(link.path)) && !isInLayout;
      if (!(await click(reader, link, { trial: wasCompared }))) continue;
      clicked.add(pathAndFilter(link.path));
      report.clicks += 1;
      if (wasCompared) continue;
      const arrived = await compare(path, link.path);
      await reader.goBack({ waitUntil: "commit" });
      isReaderOnPage = arrived && (await compare(`${link.path}, back button`, path));
      if (arrived && isReaderOnPage) compared.add(pathAndFilter(link.path));
    }
    onPage?.(path, report);
  }
  return report;
}

/** The path and the name of its filter, without the value: /archives?month for every month. */
const pathAndFilter = (path: string) => path.split("=", 1)[0] ?? "";

/** Fetches a URL as a direct load does, before any script has run. */
async function fetchResponse(page: Page, path: string): Promise<CrawlResponse> {
  return page.evaluate(async (path) => {
    const response = await fetch(path, { redirect: "manual" });
    if (!response.headers.get("content-type")?.startsWith("text/html")) {
      await response.body?.cancel();
      return { status: response.status, page: null };
    }
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
    return { status: response.status, page: window.inspect(parsed, path) };
  }, path);
}

const readView = (page: Page): Promise<View> =>
  page.evaluate(() => window.inspect(document, location.pathname + location.search).view);

/**
 * Runs in the browser: reads what a document shows, and the URLs that its links open in the same
 * tab.
 */
function installInspector(regions: Record<Region, string>): void {
  const textOf = (element: Element | null) => {
    const copy = element?.cloneNode(true);
    if (!(copy instanceof Element)) return "";
    // noscript is for readers without JavaScript; React leaves it empty on a client-side
    // navigation.
    for (const part of copy.querySelectorAll("noscript, script, style")) part.remove();
    return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
  };
  const linksIn = (root: Document, region: Region) =>
    [...root.querySelectorAll(`${regions[region]} a[href^="/"]:not([target], [download])`)].map(
      (link) => ({
        region,
        path: link.getAttribute("href")?.split("#", 1)[0] ?? "",
      }),
    );
  window.inspect = (root, url) => {
    const links = (["header", "main", "footer"] as const).flatMap((region) =>
      linksIn(root, region),
    );
    const unique = new Map(links.map((link) => [`${link.region} ${link.path}`, link]));
    return {
      view: {
        url,
        title: root.title,
        heading: textOf(root.querySelector("h1")),
        text: textOf(root.querySelector("main")),
      },
      // Combined filters would add hundreds of URLs; one filter at a time is enough.
      links: [...unique.values()].filter(({ path }) => path !== url && !path.includes("&")),
      resources: ["src", "action", "href"].flatMap((name) =>
        [...root.querySelectorAll(`[${name}^="/"]:not(a:not([target], [download]))`)].map(
          (element) => element.getAttribute(name)?.split("#", 1)[0] ?? "",
        ),
      ),
    };
  };
}

async function settle(
  page: Page,
  expected: View | undefined,
  timeoutMs: number,
): Promise<View | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    // While the browser loads another document, there is nothing to read.
    const seen = await readView(page).catch(() => undefined);
    if (isSame(seen, expected) || Date.now() > deadline) return seen;
    await page.waitForTimeout(25);
  }
}

const fields = ["url", "title", "heading", "text"] as const;

const isSame = (seen: View | undefined, expected: View | undefined) =>
  fields.every((field) => seen !== undefined && seen[field] === expected?.[field]);

function describeDifference(seen: View | undefined, expected: View): string {
  if (!seen) return "the page cannot be read";
  const field = fields.find((name) => seen[name] !== expected[name]) ?? "text";
  const [a, b] = [seen[field], expected[field]];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const excerpt = (text: string) => text.slice(Math.max(0, same - 20), same + 60);
  return `${field}: clicked "${excerpt(a)}", loaded "${excerpt(b)}"`;
}

/**
 * Clicks the link as a reader would, after opening the element that hides it. Returns whether there
 * was a link to click. A trial does everything except the click itself: the link must be visible,
 * and nothing may cover it.
 */
async function click(
  page: Page,
  { path, region }: Link,
  { trial }: { trial: boolean },
): Promise<boolean> {
  const target = `a:is([href="${path}"], [href^="${path}#"]):not([target], [download])`;
  const link = page.locator(`${regions[region]} ${target}:not([inert] *)`).first();
  if ((await link.count()) === 0) return false;
  if (!(await reveal(page, link))) return false;
  await link.click({ trial });
  return true;
}

/**
 * Opens the menu or the <details> that hides the link. Returns whether the link is then visible:
 * some links are only for other screen sizes.
 */
async function reveal(page: Page, link: Locator): Promise<boolean> {
  if (await link.isVisible()) return true;
  await link.evaluate((element) => {
    for (
      let box = element.closest("details");
      box;
      box = box.parentElement?.closest("details") ?? null
    )
      if (!box.open) box.querySelector("summary")?.click();
  });
  const menuButton = page.locator(".site-menu-button");
  if (!(await link.isVisible()) && (await menuButton.isVisible())) await menuButton.click();
  return link.isVisible();
}
