import { errors, type Locator, type Page, type ViewportSize } from "@playwright/test";
import { findSameKind } from "./routes.ts";

/** The parts of a page that a reader sees. */
type View = { url: string; title: string; heading: string; text: string };

export type Difference = { from: string; to: string; width: number; description: string };
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
   * "kinds": open a page of every kind by a click, where its link is found first, and once with each
   * filter. A link to a kind of page that was compared only has to be clickable. "everywhere": click
   * every link on every page.
   */
  clicks: "kinds" | "everywhere";
  /** The path to start at. All header, menu and footer links on this page must be clickable. */
  start?: string;
  /** Another width, at which the same links only have to be clickable. */
  otherViewport?: ViewportSize;
  onPage?: (path: string, report: CrawlReport) => void;
};

type Link = { path: string; region: Region };
type Region = keyof typeof regions;
/**
 * The response to a URL: a page with its links, or a feed, calendar or file, which only has to
 * exist.
 */
type CrawlResponse = { status: number; page: Inspection | null };
/** `resources` are images, iframes, forms and downloads. The crawl only checks that they exist. */
type Inspection = { view: View; links: Link[]; resources: string[] };

declare global {
  interface Window {
    readView(root: Document, url: string): View;
    inspect(root: Document, url: string): Inspection;
  }
}

const regions = { header: ".site-header", main: "main", footer: "footer" };
/** How long a page may take to show the same content as a direct load. */
const settleMs = 10_000;
/**
 * How often a link is followed until both pages show the same. Pages that show the time of day can
 * differ once.
 */
const maxVisits = 5;
/** How long a link may be covered, or move, before it counts as one that cannot be clicked. */
const clickMs = 100_000;
/** How long the page may take until it shows what the server sends, before any script changes it. */
const quickSettleMs = 500;

/**
 * Opens pages by clicking the links to them and compares each with a direct load of the same URL.
 * Then goes back and compares the previous page too. A page may load slowly, but it has to end up
 * with the same content.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const { origin, reader, direct, clicks, otherViewport, start = "/", onPage } = options;
  const responses = new Map<string, CrawlResponse>();
  const report: CrawlReport = { pages: 0, clicks: 0, differences: [] };
  const viewport = reader.viewportSize() ?? { width: 0, height: 0 };
  const { width } = viewport;
  /** The kinds of pages that a click has opened, and those whose links are clickable elsewhere. */
  const [compared, tried] = [new Set<string>(), new Set<string>()];
  const queue = [start];
  const queued = new Set(queue);

  const reportDifference = (from: string, to: string, description: string) =>
    report.differences.push({ from, to, width, description: description });

  let visitors = 0;
  /** A crawl is quicker than a reader, and the server limits the requests of one visitor. */
  const changeVisitor = () => {
    visitors += 1;
    const address = `10.${width % 256}.${Math.floor(visitors / 256) % 256}.${visitors % 256}`;
    return reader.context().setExtraHTTPHeaders({ "X-Forwarded-For": address });
  };

  const loadPage = async (page: Page, path: string) => {
    await changeVisitor();
    await page.goto(origin + path, { waitUntil: "domcontentloaded" });
    await page.locator("[popover=manual][data-live]").waitFor({ state: "attached" });
  };

  const requestOnce = async (from: string, path: string): Promise<CrawlResponse> => {
    const knownResponse = responses.get(path);
    if (knownResponse) return knownResponse;
    if (responses.size % 20 === 0) await changeVisitor();
    const response = await fetchResponse(direct, path);
    if (response.status !== 200)
      reportDifference(from, path, `a direct load returns ${response.status}`);
    responses.set(path, response);
    return response;
  };

  /** Waits until the reader sees what a direct load shows. Otherwise returns the difference. */
  const compare = async (from: string, path: string): Promise<string | null> => {
    const { page } = await requestOnce(from, path);
    if (isSame(await waitForView(reader, page?.view, quickSettleMs), page?.view)) return null;
    // Scripts may have changed the page that the server sent. They have to change the page in the
    // same way after a click.
    await loadPage(direct, path);
    const loadedView = await readView(direct);
    if (page) page.view = loadedView;
    const seenView = await waitForView(reader, loadedView, settleMs);
    return isSame(seenView, loadedView) ? null : describeDifference(seenView, loadedView);
  };

  /** Compares the page that a click has opened, and the previous one after the back button. */
  const compareBoth = async (from: string, path: string): Promise<string | null> => {
    const difference = await compare(from, path);
    if (difference !== null) return difference;
    await reader.goBack({ waitUntil: "commit" });
    const differenceBack = await compare(path, from);
    return differenceBack && `back button: ${differenceBack}`;
  };

  for (const page of [reader, direct]) {
    await page.addInitScript(installInspector, regions);
    await loadPage(page, start);
  }
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { links, resources } = (await requestOnce(start, path)).page ?? {
      links: [],
      resources: [],
    };
    report.pages += 1;
    for (const resource of resources) await requestOnce(path, resource);
    const isNeeded = (link: Link, done: Set<string>) =>
      clicks === "everywhere" ||
      !done.has(toKind(link.path)) ||
      (path === start && link.region !== "main");
    const pageLinks: Link[] = [];
    for (const link of links) {
      if (!(await requestOnce(path, link.path)).page) continue;
      pageLinks.push(link);
      if (queued.has(link.path)) continue;
      queued.add(link.path);
      queue.push(link.path);
    }
    let isReaderOnPage = false;
    if (otherViewport && pageLinks.some((link) => isNeeded(link, tried))) {
      await reader.setViewportSize(otherViewport);
      await loadPage(reader, path);
      isReaderOnPage = true;
      for (const link of pageLinks)
        if (isNeeded(link, tried) && (await clickLink(reader, link, { trial: true })))
          tried.add(toKind(link.path));
      await reader.setViewportSize(viewport);
    }
    for (const link of pageLinks) {
      const kind = toKind(link.path);
      if (!isNeeded(link, compared)) continue;
      if (!isReaderOnPage) await loadPage(reader, path);
      isReaderOnPage = true;
      const trial = clicks === "kinds" && compared.has(kind);
      if (!(await clickLink(reader, link, { trial }))) continue;
      report.clicks += 1;
      if (trial) continue;
      let difference = await compareBoth(path, link.path);
      for (let visits = 1; difference !== null && visits < maxVisits; visits += 1) {
        await loadPage(reader, path);
        await clickLink(reader, link, { trial });
        difference = await compareBoth(path, link.path);
      }
      isReaderOnPage = difference === null;
      if (difference === null) compared.add(kind);
      else reportDifference(path, link.path, difference);
    }
    onPage?.(path, report);
  }
  return report;
}

/**
 * Returns what pages of the same kind have in common: /blog/* for a post, /local for a section,
 * /archives?month for a filtered list.
 */
function toKind(path: string): string {
  const [page = "", filter = ""] = path.split(/(?=\?)/, 2);
  const kind = findSameKind(page) ?? page.replaceAll(/(?<=.)\/[^/]+/g, "/*");
  return kind + filter.replace(/=.*/, "");
}

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
  page.evaluate(() => window.readView(document, location.pathname + location.search));

/**
 * Runs in the browser. Installs a function that reads what a document shows, and the paths that its
 * links open in the same tab.
 */
function installInspector(regions: Record<Region, string>): void {
  const readText = (element: Element | null) => {
    if (!element) return "";
    // The server does not send buttons that need JavaScript. noscript is for readers without it:
    // React leaves it empty on a client-side navigation. House ads differ because a page does not
    // wait for the newest of them.
    const ignored = "button, noscript, script, style, .house-ad";
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_ALL, (node) => {
      if (node instanceof Element && node.matches(ignored)) return NodeFilter.FILTER_REJECT;
      return node instanceof Text ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
    });
    let text = "";
    while (texts.nextNode()) text += texts.currentNode.nodeValue;
    return text.replace(/\s+/g, " ").trim();
  };
  const findLinks = (root: Document, region: Region) =>
    [...root.querySelectorAll(`${regions[region]} a[href^="/"]:not([target], [download])`)].map(
      (link) => ({
        region,
        path: link.getAttribute("href")?.split("#", 1)[0] ?? "",
      }),
    );
  window.readView = (root, url) => ({
    url,
    title: root.title,
    heading: readText(root.querySelector("h1")),
    text: readText(root.querySelector("main")),
  });
  window.inspect = (root, url) => {
    const links = (["header", "main", "footer"] as const).flatMap((region) =>
      findLinks(root, region),
    );
    const uniqueLinks = new Map(links.map((link) => [`${link.region} ${link.path}`, link]));
    return {
      view: window.readView(root, url),
      // Combined filters would add hundreds of URLs. One filter at a time is enough.
      links: [...uniqueLinks.values()].filter(({ path }) => path !== url && !path.includes("&")),
      resources: ["src", "action", "href"].flatMap((name) =>
        [...root.querySelectorAll(`[${name}^="/"]:not(a:not([target], [download]))`)].map(
          (element) => element.getAttribute(name)?.split("#", 1)[0] ?? "",
        ),
      ),
    };
  };
}

async function waitForView(
  page: Page,
  expected: View | undefined,
  timeoutMs: number,
): Promise<View | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    // While the browser loads another document, there is nothing to read.
    const seen = await readView(page).catch(() => undefined);
    if (isSame(seen, expected) || Date.now() > deadline) return seen;
    await page.waitForTimeout(100);
  }
}

const fields = ["url", "title", "heading", "text"] as const;

const isSame = (seen: View | undefined, expected: View | undefined) =>
  fields.every((field) => seen !== undefined && seen[field] === expected?.[field]);

function describeDifference(seen: View | undefined, expected: View): string {
  if (!seen) return "the page cannot be read";
  const field = fields.find((name) => seen[name] !== expected[name]) ?? "text";
  const [seenText, expectedText] = [seen[field], expected[field]];
  let sameLength = 0;
  while (sameLength < seenText.length && seenText[sameLength] === expectedText[sameLength])
    sameLength += 1;
  const excerpt = (text: string) => text.slice(Math.max(0, sameLength - 20), sameLength + 60);
  return `${field}: clicked "${excerpt(seenText)}", loaded "${excerpt(expectedText)}"`;
}

/**
 * Clicks the link as a reader would, after opening the element that hides it. Returns whether there
 * was a link to click. A trial does everything except the click itself: the link must be visible,
 * and nothing may cover it.
 */
async function clickLink(
  page: Page,
  { path, region }: Link,
  { trial }: { trial: boolean },
): Promise<boolean> {
  const target = `a:is([href="${path}"], [href^="${path}#"]):not([target], [download])`;
  const link = page.locator(`${regions[region]} ${target}:not([inert] *)`).first();
  const deadline = Date.now() + clickMs;
  for (;;) {
    // A script hides some links as soon as it starts, such as those on the other slides.
    if ((await link.count()) === 0 || !(await revealLink(page, link))) return false;
    try {
      await link.click({ trial, timeout: 5_000 });
      // The menu would stay open, because no page was opened.
      if (trial) await page.keyboard.press("Escape");
      return true;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || Date.now() > deadline) throw error;
    }
  }
}

/**
 * Opens the menu or the <details> that hides the link. Returns whether the link is visible
 * afterwards: some links are only for other screen sizes.
 */
async function revealLink(page: Page, link: Locator): Promise<boolean> {
  if (await link.isVisible()) return true;
  // Unlike evaluate, this does not wait for a link that a script has hidden in the meantime.
  const isInMenu = await link.evaluateAll(([element]) => {
    for (let box = element?.closest("details"); box; box = box.parentElement?.closest("details"))
      if (!box.open) box.querySelector("summary")?.click();
    return Boolean(element?.closest(".site-menu"));
  });
  const menuButton = page.locator(".site-menu-button");
  if (isInMenu && !(await link.isVisible()) && (await menuButton.isVisible()))
    await menuButton.click();
  return link.isVisible();
}
