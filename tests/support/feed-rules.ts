import { XmlDocument, XmlElement } from "libxml2-wasm";
import { z } from "zod";

const namespaces = {
  atom: "http://www.w3.org/2005/Atom",
  dc: "http://purl.org/dc/elements/1.1/",
  content: "http://purl.org/rss/1.0/modules/content/",
};

/** RFC 3339, section 5.6. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
/** RFC 822 with a year of four digits, as RSS 2.0 recommends it. */
const rfc822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const isDate = (format: RegExp, text: string) =>
  format.test(text) && !Number.isNaN(Date.parse(text));
const isUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");

type Report = (rule: string, isKept: boolean) => void;

/**
 * Checks one of our feeds against the rules of its format: RSS 2.0 with the advice of the RSS
 * Advisory Board, Atom (RFC 4287), or JSON Feed 1.1. Returns the rules that it breaks.
 */
export function findBrokenFeedRules(extension: "xml" | "atom" | "json", text: string): string[] {
  const broken: string[] = [];
  const report: Report = (rule, isKept) => {
    if (!isKept) broken.push(rule);
  };
  if (extension === "json") checkJsonFeed(text, report);
  else {
    const document = XmlDocument.fromString(text);
    const check = extension === "xml" ? checkRss : checkAtom;
    check(document.root, report);
    document.dispose();
  }
  return broken;
}

/** Returns the text of all nodes at a path below an element. */
const textsAt = (element: XmlElement, path: string): string[] =>
  element.find(path, namespaces).map(({ content }) => content);

const elementsAt = (element: XmlElement, path: string): XmlElement[] =>
  element.find(path, namespaces).filter((node) => node instanceof XmlElement);

const isUnique = (values: string[]) => new Set(values).size === values.length;

function checkRss(root: XmlElement, report: Report): void {
  report("the root is rss 2.0", root.name === "rss" && root.attr("version")?.value === "2.0");
  for (const name of ["title", "link", "description"])
    report(`the channel has one ${name}`, textsAt(root, `channel/${name}`).length === 1);
  report("the channel's link is a URL", textsAt(root, "channel/link").every(isUrl));
  report(
    "lastBuildDate is a date",
    isDate(rfc822, textsAt(root, "channel/lastBuildDate")[0] ?? ""),
  );
  const self = textsAt(root, "channel/atom:link[@rel='self']/@href");
  report("the feed links to itself", self.length === 1 && self.every(isUrl));
  report("guids are unique", isUnique(textsAt(root, "channel/item/guid")));
  for (const item of elementsAt(root, "channel/item")) {
    for (const name of ["title", "link", "description", "guid", "pubDate"])
      report(`an item has one ${name}`, textsAt(item, name).filter(Boolean).length === 1);
    report("an item's link is a URL", textsAt(item, "link").every(isUrl));
    report(
      "pubDate is a date",
      textsAt(item, "pubDate").every((date) => isDate(rfc822, date)),
    );
    report("an item has an author", textsAt(item, "dc:creator").some(Boolean));
    report(
      "atom:updated is a date",
      textsAt(item, "atom:updated").every((date) => isDate(rfc3339, date)),
    );
    for (const html of textsAt(item, "content:encoded")) checkHtml(html, report);
  }
}

function checkAtom(root: XmlElement, report: Report): void {
  report("the root is an Atom feed", root.name === "feed" && root.namespaceUri === namespaces.atom);
  const checkCommon = (element: XmlElement, what: string) => {
    for (const name of ["id", "title", "updated"])
      report(
        `${what} has one ${name}`,
        textsAt(element, `atom:${name}`).filter(Boolean).length === 1,
      );
    report(`the id of ${what} is a URI`, textsAt(element, "atom:id").every(isUrl));
    report(
      `the dates of ${what} are dates`,
      textsAt(element, "atom:updated|atom:published").every((date) => isDate(rfc3339, date)),
    );
    report(
      `${what} has one alternate link`,
      textsAt(element, "atom:link[not(@rel) or @rel='alternate']/@href").filter(isUrl).length === 1,
    );
  };
  checkCommon(root, "the feed");
  const self = textsAt(root, "atom:link[@rel='self']/@href");
  report("the feed links to itself", self.length === 1 && self.every(isUrl));
  report("the ids of entries are unique", isUnique(textsAt(root, "atom:entry/atom:id")));
  for (const entry of elementsAt(root, "atom:entry")) {
    checkCommon(entry, "an entry");
    report("an entry has an author", textsAt(entry, "atom:author/atom:name").some(Boolean));
    report("an entry has at most one content", textsAt(entry, "atom:content").length <= 1);
    const [published = "", updated = ""] = ["published", "updated"].flatMap((name) =>
      textsAt(entry, `atom:${name}`),
    );
    report("an update is not before the publication", Date.parse(updated) >= Date.parse(published));
    for (const html of textsAt(entry, "atom:content")) checkHtml(html, report);
  }
}

const url = z.string().refine(isUrl);
const date = z.string().refine((text) => isDate(rfc3339, text));
const jsonFeedSchema = z.object({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: url,
  feed_url: url,
  items: z.array(
    z
      .object({
        id: z.string().min(1),
        url,
        title: z.string().min(1),
        content_html: z.string().min(1).optional(),
        content_text: z.string().min(1).optional(),
        date_published: date,
        date_modified: date.optional(),
        authors: z.array(z.object({ name: z.string().min(1) })).min(1),
        tags: z.array(z.string().min(1)).optional(),
      })
      .refine(({ content_html, content_text }) => (content_html ?? content_text) !== undefined),
  ),
});

function checkJsonFeed(text: string, report: Report): void {
  const parsed = jsonFeedSchema.safeParse(JSON.parse(text));
  for (const { path, message } of parsed.error?.issues ?? [])
    report(`${path.join(".")}: ${message}`, false);
  const items = parsed.data?.items ?? [];
  report("ids are unique", isUnique(items.map(({ id }) => id)));
  for (const { content_html } of items) if (content_html) checkHtml(content_html, report);
}

/** In a feed reader, a path leads nowhere and a script or a style does nothing good. */
function checkHtml(html: string, report: Report): void {
  report(
    "links and images have full URLs",
    !/\s(?:href|src|srcset)="(?!https?:|mailto:)/.test(html),
  );
  report(
    "the text has no scripts and styles",
    !/<(?:script|style|iframe|form)\b|\sstyle=/.test(html),
  );
}
