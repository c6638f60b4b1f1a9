import type { Locator, Page } from "@playwright/test";

/** What a reader has in front of them. */
type View = { url: string; title: string; heading: string; text: string };

export type Difference = { from: string; to: string; width: number; what: string };
type CrawlReport = { pages: number; clicks: number; differences: Difference[] };

type CrawlOptions = {
  origin: string;
  /** Follows the links by clicking. Its width decides whether the menu has to be opened first. */
  reader: Page;
  /** Loads the same URLs directly, to compare with. */
  direct: Page;
  /**
   * "once": every path is clicked once, wherever it is found first, and with each of its filters
   * once. "everywhere": every link of every page.
   */
  clicks: "once" | "everywhere";
  /** Where to start; the header, menu and footer links of this page are all clicked. */
  start?: string;
  /**
   * What a crawl at another width has found out. The server sends the same page for every width, so
   * it is not asked again, and with "once" a link that was followed there only has to be within the
   * reader's reach, unless it belongs to the header, menu or footer.
   */
  memory?: CrawlMemory;
  onPage?: (path: string, report: CrawlReport) => void;
};

export type CrawlMemory = { responses: Map<string, CrawlResponse>; compared: Set<string> };
export const createMemory = (): CrawlMemory => ({ responses: new Map(), compared: new Set() });

type Link = { path: string; region: Region };
type Region = keyof typeof regions;
/**
 * What a URL answers: a page with its links, or a feed, calendar or file, which only has to exist.
 */
type CrawlResponse = { status: number; page: Inspection | null };
/** `files` are images, frames, forms and downloads, which are only asked whether they are there. */
type Inspection = { view: View; links: Link[]; resources: string[] };

declare global {
  interface Window {
    inspect(root: Document, url: string): Inspection;
  }
}

const regions = { header: ".site-header", main: "main", footer: "footer" };
/** How long a page may take to show what a direct load shows. */
const settleMs = 10_000;
/** How long it usually takes at most. */
const soonMs = 1_000;

/**
 * Opens every page by clicking the links that lead there and compares it with a direct load of the
 * same URL, then goes back and compares the page it came from. A page may take its time to load,
 * but it has to arrive at the same content.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const { origin, reader, direct, clicks, start = "/", memory = createMemory(), onPage } = options;
  const { responses: answers, compared } = memory;
  const report: CrawlReport = { pages: 0, clicks: 0, differences: [] };
  const width = reader.viewportSize()?.width ?? 0;
  const clicked = new Set<string>();
  const queue = [start];
  const queued = new Set(queue);

  const differs = (from: string, to: string, what: string) =>
    report.differences.push({ from, to, width, what });

  const load = async (page: Page, path: string) => {
    await page.goto(origin + path, { waitUntil: "domcontentloaded" });
    await page.locator("[popover=manual][data-live]").waitFor({ state: "attached" });
  };

  const answerOf = async (from: string, path: string): Promise<CrawlResponse> => {
    const known = answers.get(path);
    if (known) return known;
    const answer = await fetchResponse(direct, path);
    if (answer.status !== 200) differs(from, path, `a direct load answers ${answer.status}`);
    answers.set(path, answer);
    return answer;
  };

  /** Waits until the reader sees what a direct load shows; otherwise notes what differs. */
  const compare = async (from: string, path: string): Promise<boolean> => {
    const { page } = await answerOf(from, path);
    if (isSame(await settle(reader, page?.view, soonMs), page?.view)) return true;
    // Scripts may have changed the page that the server sent: the same has to happen after a click,
    // here and later.
    await load(direct, path);
    const loaded = await readView(direct);
    if (page) page.view = loaded;
    const seen = await settle(reader, loaded, settleMs);
    if (isSame(seen, loaded)) return true;
    differs(from, path, difference(seen, loaded));
    return false;
  };

  for (const page of [reader, direct]) {
    await page.addInitScript(installInspector, regions);
    await load(page, start);
  }
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { links, resources: files } = (await answerOf(start, path)).page ?? {
      links: [],
      resources: [],
    };
    report.pages += 1;
    for (const file of files) await answerOf(path, file);
    let isHere = false;
    for (const link of links) {
      if (!(await answerOf(path, link.path)).page) continue;
      if (!queued.has(link.path)) {
        queued.add(link.path);
        queue.push(link.path);
      }
      const isAround = path === start && link.region !== "main";
      if (clicks === "once" && clicked.has(pathAndFilter(link.path)) && !isAround) continue;
      if (!isHere) await load(reader, path);
      isHere = true;
      const isKnown = clicks === "once" && compared.has(pathAndFilter(link.path)) && !isAround;
      if (!(await click(reader, link, { trial: isKnown }))) continue;
      clicked.add(pathAndFilter(link.path));
      report.clicks += 1;
      if (isKnown) continue;
      const arrived = await compare(path, link.path);
      await reader.goBack({ waitUntil: "commit" });
      isHere = arrived && (await compare(`${link.path}, by Back`, path));
      if (arrived && isHere) compared.add(pathAndFilter(link.path));
    }
    onPage?.(path, report);
  }
  return report;
}

/** The path and the name of its filter: /archives?month= for every month. */
const pathAndFilter = (path: string) => path.split("=", 1)[0] ?? "";

/** Reads a URL as a direct load gets it, before any script has run. */
async function fetchResponse(page: Page, path: string): Promise<CrawlResponse> {
  return page.evaluate(async (path) => {
    const answer = await fetch(path, { redirect: "manual" });
    if (!answer.headers.get("content-type")?.startsWith("text/html")) {
      await answer.body?.cancel();
      return { status: answer.status, page: null };
    }
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { status: answer.status, page: window.inspect(parsed, path) };
  }, path);
}

const readView = (page: Page): Promise<View> =>
  page.evaluate(() => window.inspect(document, location.pathname + location.search).view);

/** Runs in the browser: what a document shows, and the URLs its links lead to in the same tab. */
function installInspector(regions: Record<Region, string>): void {
  const words = (element: Element | null) => {
    const copy = element?.cloneNode(true);
    if (!(copy instanceof Element)) return "";
    // Written for readers without JavaScript; React leaves it empty on a client navigation.
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
        heading: words(root.querySelector("h1")),
        text: words(root.querySelector("main")),
      },
      // Filters can be combined to hundreds of URLs; one at a time is enough.
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
  wanted: View | undefined,
  withinMs: number,
): Promise<View | undefined> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    // While the browser moves to another document there is nothing to read.
    const seen = await readView(page).catch(() => undefined);
    if (isSame(seen, wanted) || Date.now() > deadline) return seen;
    await page.waitForTimeout(25);
  }
}

const fields = ["url", "title", "heading", "text"] as const;

const isSame = (seen: View | undefined, wanted: View | undefined) =>
  fields.every((field) => seen !== undefined && seen[field] === wanted?.[field]);

function difference(seen: View | undefined, wanted: View): string {
  if (!seen) return "the page cannot be read";
  const field = fields.find((name) => seen[name] !== wanted[name]) ?? "text";
  const [a, b] = [seen[field], wanted[field]];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const excerpt = (text: string) => text.slice(Math.max(0, same - 20), same + 60);
  return `${field}: clicked "${excerpt(a)}", loaded "${excerpt(b)}"`;
}

/**
 * Clicks the link as a reader would, after opening whatever hides it. Says whether there was
 * anything to click. A trial does all but the click itself: the link must be visible, and nothing
 * may cover it.
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
 * Opens what the link is folded away in. Says whether it can be seen then: some links are for other
 * screens only.
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
