import { describe, expect, it } from "vitest";
import { repeatVeryOften } from "../../../../tests/support/hostile-text.ts";
import { normalize } from "./normalize.server.ts";
import { parse } from "./parse.server.ts";
import { decode, readItems } from "./read.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const url = "https://feeds.example/rss.xml";

/** Decodes, parses and normalizes a feed. Returns its items, or "not-a-feed". */
function read(source: string | Uint8Array, contentType = "application/rss+xml") {
  const bytes = typeof source === "string" ? Buffer.from(source, "utf8") : source;
  const parsed = parse(decode(bytes, contentType));
  return parsed.kind === "feed" ? normalize(parsed, url, now) : parsed.kind;
}
const rss = (items: string, root = 'version="2.0"') =>
  `<?xml version="1.0"?><rss ${root}><channel><title>T</title><link>https://home.example/</link>${items}</channel></rss>`;
const readTitles = (source: string | Uint8Array, contentType?: string) => {
  const items = read(source, contentType);
  return typeof items === "string" ? items : items.map((item) => item.title);
};
const readFirst = (source: string) => {
  const items = read(source);
  return typeof items === "string" ? items : items[0];
};

describe("a web page", () => {
  const readPage = (head: string) =>
    readItems(
      {
        body: Buffer.from(`<!doctype html><html><head>${head}</head><body>News</body></html>`),
        type: "text/html",
        url: "https://paper.example/news/",
      },
      now,
    );

  it.each([
    [
      '<link rel="alternate" type="application/rss+xml" href="/feed/?a=1&amp;b=2">',
      "https://paper.example/feed/?a=1&b=2",
    ],
    [
      "<LINK HREF=feed.atom TYPE=application/atom+xml REL=alternate />",
      "https://paper.example/news/feed.atom",
    ],
    [
      '<link rel="stylesheet" href="a.css"><link rel="alternate" hreflang="es" href="/es"><link type="application/feed+json" rel="home alternate" href="https://feeds.example/x.json">',
      "https://feeds.example/x.json",
    ],
  ])("with %s names its feed", (head, feedUrl) => {
    expect(readPage(head)).toMatchObject({
      kind: "failed",
      cause: "not-readable",
      feedUrl,
      detail: `sent a web page; its feed is ${feedUrl}`,
    });
  });

  it("may name none that can be fetched", () => {
    const head = '<link rel="alternate" type="application/rss+xml" href="javascript:x">';
    expect(readPage(head)).toEqual({
      kind: "failed",
      cause: "not-readable",
      detail: "sent a web page",
    });
  });
});

describe("a document", () => {
  it.each([
    ["RSS 2.0", rss("<item><title>A</title><link>https://a.example/1</link></item>")],
    [
      "RSS 0.91",
      '<rss version="0.91"><channel><item><title>A</title><link>https://a.example/1</link></item></channel></rss>',
    ],
    [
      "RSS 1.0",
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>C</title></channel><item rdf:about="https://a.example/1"><title>A</title><link>https://a.example/1</link></item></rdf:RDF>',
    ],
    [
      "Atom 1.0",
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>A</title><link href="https://a.example/1"/></entry></feed>',
    ],
    [
      "Atom 0.3",
      '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title>A</title><link rel="alternate" href="https://a.example/1"/></entry></feed>',
    ],
    [
      "JSON Feed",
      '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","url":"https://a.example/1","title":"A"}]}',
    ],
    [
      "in uppercase",
      '<RSS VERSION="2.0"><CHANNEL><ITEM><TITLE>A</TITLE><LINK>https://a.example/1</LINK></ITEM></CHANNEL></RSS>',
    ],
    [
      "preceded by a comment and blank lines",
      `\n\n  <!-- cached -->\n${rss("<item><title>A</title><link>https://a.example/1</link></item>")}`,
    ],
    [
      "preceded by a PHP warning",
      `Warning: x\n${rss("<item><title>A</title><link>https://a.example/1</link></item>")}`,
    ],
  ])("is read as a feed if it is %s", (_, source) => {
    expect(read(source)).toEqual([
      expect.objectContaining({ title: "A", link: "https://a.example/1" }),
    ]);
  });

  it.each([
    ["a web page", "<!doctype html><html><title>Sign in</title><body>Hello</body></html>"],
    ["a JSON error", '{"error":"not found"}'],
    ["an empty document", ""],
    ["an image", "\x89PNG\r\n\x1a\n"],
  ])("is not read as a feed if it is %s", (_, source) => {
    expect(read(source)).toBe("not-a-feed");
  });
});

describe("characters are decoded correctly", () => {
  const item = (title: string) =>
    `<item><title>${title}</title><link>https://a.example/1</link></item>`;
  it.each([
    [
      "UTF-8 that is declared as Latin-1",
      Buffer.from(rss(item("Café – ‘so’")), "utf8"),
      "text/xml; charset=iso-8859-1",
    ],
    [
      "windows-1252 that is declared as UTF-8",
      Buffer.from(rss(item("Caf\xe9 \x96 \x91so\x92")), "latin1"),
      "text/xml; charset=utf-8",
    ],
    [
      "windows-1252 without a declaration",
      Buffer.from(rss(item("Caf\xe9 \x96 \x91so\x92")), "latin1"),
      "text/html",
    ],
    [
      "UTF-16 with a byte order mark",
      Buffer.from(`\ufeff${rss(item("Café – ‘so’"))}`, "utf16le"),
      "text/xml",
    ],
    [
      "UTF-8 with a byte order mark",
      Buffer.from(`\ufeff${rss(item("Café – ‘so’"))}`, "utf8"),
      "text/plain",
    ],
    [
      "ISO-8859-15 in the XML declaration",
      Buffer.from(
        rss(item("Caf\xe9 &#8211; &#145;so&#146;")).replace(
          '"1.0"',
          '"1.0" encoding="iso-8859-15"',
        ),
        "latin1",
      ),
      "",
    ],
    [
      "UTF-8 that is declared as UTF-16",
      Buffer.from(rss(item("Café – ‘so’")).replace('"1.0"', '"1.0" encoding="utf-16"'), "utf8"),
      "text/xml",
    ],
    [
      "a declared encoding that does not exist",
      Buffer.from(
        rss(item("Caf\xe9 \x96 \x91so\x92")).replace('"1.0"', '"1.0" encoding="x-klingon"'),
        "latin1",
      ),
      "",
    ],
  ])("from %s", (_, bytes, contentType) => {
    expect(readTitles(bytes, contentType)).toEqual(["Café – ‘so’"]);
  });
});

describe("a feed loses only its bad items", () => {
  it("if an item has no title, no link or an unsafe link", () => {
    const items = `
      <item><link>https://a.example/1</link></item>
      <item><title>Script</title><link>javascript:alert(1)</link></item>
      <item><title>Data</title><link>data:text/html,x</link></item>
      <item><title>Good</title><link>https://a.example/2</link></item>`;
    expect(read(rss(items))).toEqual([
      // Without a usable link, an item links to the home page of its source.
      expect.objectContaining({ title: "Script", link: "https://home.example/" }),
      expect.objectContaining({ title: "Data", link: "https://home.example/" }),
      expect.objectContaining({ title: "Good", link: "https://a.example/2" }),
    ]);
  });
});

describe("a hostile feed", () => {
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "lol">${"bcdefghij"
    .split("")
    .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefghij"[index]};`.repeat(10)}">`)
    .join("")}]>`;
  it("cannot expand entities endlessly, or read a file", () => {
    const item = "<item><title>A &j; &x;</title><link>https://a.example/1</link></item>";
    expect(readTitles(laughs + rss(item))).toEqual(["A &j; &x;"]);
    const file = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    expect(readTitles(file + rss(item))).toEqual(["A &j; &x;"]);
  });
  it("is refused if it is deeply nested, and read if it has very many items", () => {
    const deep = `${"<a>".repeat(50_000)}${"</a>".repeat(50_000)}`;
    expect(read(rss(`${deep}<item><title>A</title><link>https://a.example/1</link></item>`))).toBe(
      "not-a-feed",
    );
    const many = Array.from(
      { length: 5_000 },
      (_, n) => `<item><title>${n}</title><link>https://a.example/${n}</link></item>`,
    );
    expect(read(rss(many.join("")))).toHaveLength(200);
  });
  it("loses only the surplus items if it has too many", () => {
    const items =
      "<item><title>A</title><description><![CDATA[<item>]]></description></item>".repeat(300);
    const late = `<rss version="2.0"><channel>${items}<link>https://home.example/</link></channel></rss>`;
    expect(readFirst(late)).toMatchObject({ title: "A", link: "https://home.example/" });
    const json = { version: "https://jsonfeed.org/version/1.1", title: "T" };
    const entries = Array.from({ length: 300 }, (_, n) => ({
      id: `${n}`,
      url: `https://a.example/${n}`,
      title: `${n}`,
      content_html: "<item> <author>",
    }));
    expect(read(JSON.stringify({ ...json, items: entries }))).toHaveLength(200);
  });
  it.each([
    ["unfinished root elements", "<rss ", (many: string) => `<rss version="2.0" ${many}`],
    ["empty items", "<item/>", (many: string) => rss(many)],
    ["malformed items", "<item><title></item>", (many: string) => rss(many)],
    ["brackets in a name", "(", (many: string) => rss(`<item><author>${many}</author></item>`)],
    ["nested elements", "<a>", (many: string) => rss(many)],
    ["end tags", "</item ", (many: string) => rss(`<item></item>${many}`)],
  ])("with very many %s is read in linear time", (_, part, toFeed) => {
    expect([[], "not-a-feed"]).toContainEqual(read(toFeed(repeatVeryOften(part))));
  });
  it.each(["<item><title>", "<!--", "<![CDATA[", "<item", "<b", "<script>", "<!DOCTYPE ["])(
    "is read in linear time, or refused, if its title repeats %s",
    (part) => {
      const title = repeatVeryOften(part);
      const items = read(rss(`<item><title>${title}</title></item>`));
      expect([[], "not-a-feed"]).toContainEqual(items);
    },
  );
  it.each(["&amp;", "]>", "The post "])(
    "is read in linear time if its title repeats %s",
    (part) => {
      const title = repeatVeryOften(part);
      expect(readTitles(rss(`<item><title>${title}</title></item>`))).toHaveLength(1);
    },
  );
  it.each(["<svg>", "<!--", "<script", "The post ", "Read extraElements ", "<b ", "&amp;", "<?"])(
    "is read in linear time if a description repeats %s",
    (part) => {
      const item = `<title>A</title><link>https://a.example/1</link>`;
      const text = `<description><![CDATA[${repeatVeryOften(part)}]]></description>`;
      expect(readTitles(rss(`<item>${item}${text}</item>`))).toEqual(["A"]);
    },
  );
});

describe("an item", () => {
  const link = "<link>https://a.example/1</link>";
  it.each([
    ["dc:title", `<item>${link}<dc:title>A</dc:title></item>`, { title: "A" }],
    [
      "media:title, if the title contains only an image",
      `<item>${link}<title>&lt;img src="x"&gt;</title><media:title>A</media:title></item>`,
      { title: "A" },
    ],
    [
      "dc:date",
      `<item>${link}<title>A</title><dc:date>2026-11-14T10:00:00Z</dc:date></item>`,
      { publishedAt: new Date("2026-11-14T10:00:00Z") },
    ],
    [
      "atom:link",
      '<item><title>A</title><atom:link rel="self" href="https://a.example/x.xml"/><atom:link href="https://a.example/2"/></item>',
      { link: "https://a.example/2" },
    ],
    [
      "atom:link, if the link is unsafe",
      '<item><title>A</title><link>javascript:1</link><atom:link href="/3"/></item>',
      { link: "https://feeds.example/3" },
    ],
    [
      "content:encoded",
      `<item>${link}<title>A</title><description>&lt;img src="x" alt="y"&gt;</description><content:encoded><![CDATA[<p>The text</p>]]></content:encoded></item>`,
      { summary: "The text" },
    ],
  ])("is read from %s", (_, item, expected) => {
    const namespaces = [
      "atom='http://www.w3.org/2005/Atom'",
      "dc='http://purl.org/dc/elements/1.1/'",
      "media='http://search.yahoo.com/mrss/'",
      "content='http://purl.org/rss/1.0/modules/content/'",
    ];
    const attributes = namespaces.map((each) => `xmlns:${each}`).join(" ");
    expect(readFirst(rss(item, `version="2.0" ${attributes}`))).toMatchObject(expected);
  });

  it("is read from content_text, whose angle brackets are not tags", () => {
    const item = {
      id: "1",
      url: "https://a.example/1",
      title: "A",
      content_text: "Use <b> & </b>",
    };
    const feed = { version: "https://jsonfeed.org/version/1.1", title: "T", items: [item] };
    expect(readFirst(JSON.stringify(feed))).toMatchObject({ summary: "Use <b> & </b>" });
  });

  const dated = (title: string, day: number, extraElements: string) =>
    `<item><title>${title}</title><pubDate>${day} Nov 2026 10:00:00 GMT</pubDate>${extraElements}</item>`;
  it.each([
    ["one guid", (n: number) => `<guid>same</guid><link>https://a.example/${n}</link>`],
    ["one guid and one link", () => `<guid>same</guid>${link}`],
    ["one link and no guid", () => link],
    ["one link", (n: number) => `<guid>${n}</guid>${link}`],
  ])("is not mixed up with others that share %s with it", (_, extraElements) => {
    const feed = rss(
      dated("Two", 14, extraElements(2)) +
        dated("One", 13, extraElements(1)) +
        dated("One", 13, extraElements(1)),
    );
    const items = read(feed);
    if (typeof items === "string") throw new Error(items);
    expect(items.map(({ title }) => title)).toEqual(["Two", "One"]);
    expect(new Set(items.map(({ key }) => key)).size).toBe(2);
    expect(new Set(items.map(({ identity }) => identity)).size).toBe(2);
    // The items keep their keys when the feed has newer items.
    const later = read(
      rss(dated("Three", 15, extraElements(3)) + dated("Two", 14, extraElements(2))),
    );
    expect(later).toEqual([expect.objectContaining({ title: "Three" }), items[0]]);
  });
});

describe("an item that readers see", () => {
  const readItem = (title: string, description = "") =>
    readFirst(
      rss(
        `<item><title>${title}</title><description>${description}</description><link>https://a.example/1</link></item>`,
      ),
    );
  it.each([
    ["A &lt;b&gt;bold&lt;/b&gt; move", "A bold move"],
    ["<![CDATA[Tom &amp; Jerry &#8217;s <i>day</i>]]>", "Tom & Jerry ’s day"],
    ["Profits &amp;amp; losses", "Profits & losses"],
    ["5 &lt; 6 &amp; 7 &gt; 6", "5 < 6 & 7 > 6"],
    ["&nbsp; Two\n  lines&nbsp;here ", "Two lines here"],
    ["&lt;script&gt;alert(1)&lt;/script&gt;Quiet", "Quiet"],
    ["Turn \u202Eback\u202C now\u200B", "Turn back now"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["Text&lt;o:p&gt;&lt;/o:p&gt;", "Text"],
    ["List&lt;T&gt; explained", "List<T> explained"],
  ])("with the title %s is shown as %s", (title, expected) => {
    expect(readItem(title)).toMatchObject({ title: expected });
  });

  it("has a summary of at most 200 characters, cut at a word, without the sentences that blog software appends", () => {
    const long = readItem("A", `&lt;p&gt;${"Word ".repeat(100)}&lt;/p&gt;`);
    expect(long).toMatchObject({ summary: expect.stringMatching(/^(Word )+Word…$/) });
    expect(typeof long === "object" && long.summary.length).toBeLessThanOrEqual(200);
    expect(readItem("A", "It rained. [&#8230;] The post A appeared first on Blog.")).toMatchObject({
      summary: "It rained.…",
    });
    expect(readItem("Same", "Same")).toMatchObject({ summary: "" });
  });

  it("links to the page that the base URL, the guid or the alternate link gives", () => {
    const based =
      '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://e.example/b/"><entry xml:base="c/"><title>A</title><link rel="self" href="x.atom"/><link href="d.html"/></entry></feed>';
    expect(readFirst(based)).toMatchObject({ link: "https://e.example/b/c/d.html" });
    expect(
      readFirst(rss("<item><title>A</title><guid>https://a.example/g</guid></item>")),
    ).toMatchObject({
      link: "https://a.example/g",
    });
    expect(readFirst(rss("<item><title>A</title><link>/rel</link></item>"))).toMatchObject({
      link: "https://feeds.example/rel",
    });
  });

  it("has its date from the feed, unless that date is invalid or in the future", () => {
    const dated = (date: string) =>
      readFirst(
        rss(
          `<item><title>A</title><link>https://a.example/1</link><pubDate>${date}</pubDate></item>`,
        ),
      );
    expect(dated("Sat, 14 Nov 2026 10:00:00 EST")).toMatchObject({
      publishedAt: new Date("2026-11-14T15:00:00Z"),
    });
    expect(dated("Sat, 32 Nov 2026 10:00:00 EST")).toMatchObject({ publishedAt: null });
    expect(dated("Sat, 14 Nov 2037 10:00:00 EST")).toMatchObject({ publishedAt: null });
  });

  it("has an identity without tracking parameters, and keeps its link unchanged", () => {
    const link = "https://www.a.example/story/?utm_source=rss&amp;id=3&amp;fbclid=x";
    expect(readFirst(rss(`<item><title>A</title><link>${link}</link></item>`))).toMatchObject({
      link: link.replaceAll("&amp;", "&"),
      identity: "a.example/story?id=3",
    });
  });
});
