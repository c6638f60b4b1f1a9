import { describe, expect, it } from "vitest";
import { repeatVeryOften } from "../../tests/support/hostile-text.ts";
import { testLook } from "../../tests/support/look.ts";
import { createLightPage, findLightStyle } from "./light-page.server.ts";

const isPage = (path: string) => !path.includes(".");
const createPage = (markup: string) => createLightPage(markup, { search: "", isPage, head: "" });

describe("the low-data edition", () => {
  it.each([
    ["scripts", '<script>"</p>"</script><p>a</p>', "<p>a</p>"],
    ["structured data", '<script type="application/ld+json">{}</script>', ""],
    ["icons", '<p><svg><path d="M0"></path><svg></svg></svg>Monday</p>', "<p>Monday</p>"],
    ["images in lists", '<li><img src="/a.svg" alt="A cat"/>Cat</li>', "<li>Cat</li>"],
    ["styles", '<style>p{}</style><p style="color:red">a</p>', "<p>a</p>"],
    ["comments", "<p>a<!-- -->b</p>", "<p>ab</p>"],
    ["buttons that need scripts", '<button type="button">Pause</button>', ""],
    ["parts that need scripts", '<div class="x script-only"><div>a</div></div>b', "b"],
    ["parts of the full edition", '<li class="full-only"><a href="/">a</a></li>', ""],
    ["popovers that need scripts", '<div popover="manual"><span></span></div>', ""],
    ["decoration", '<span aria-hidden="true">Nov</span>', ""],
    ["files that the head fetches", '<link rel="preload" href="/a.woff2"/>', ""],
    ["the stylesheet", '<link rel="stylesheet" href="/a.css"/>', ""],
    ["data for scripts", '<p data-a="1" id="b" nonce="c">a</p>', '<p id="b">a</p>'],
  ])("has no %s", (_, markup, expected) => {
    expect(createPage(markup)).toBe(expected);
  });

  it.each([
    ["canonical URL", '<link rel="canonical" href="https://example.org/news">'],
    ["feeds", '<link rel="alternate" href="/feeds/news.xml">'],
    ["texts", "<p>Fish &amp; chips &lt;b&gt;, 1 &gt; 0</p>"],
    ["external links", '<a href="https://example.org/?a=1&amp;b=2" target="_blank">a</a>'],
    ["typed text", '<textarea name="text">&lt;/textarea&gt; &lt;a href="/news"&gt;</textarea>'],
    ["trap for spam bots", '<div class="form-trap" aria-hidden="true"><input name="x"></div>'],
    ["submit buttons", '<button type="submit">Send</button>'],
  ])("keeps its %s", (_, markup) => {
    expect(createPage(markup).replace(' class="form-trap"', "")).toBe(
      markup.replace(' class="form-trap"', ""),
    );
  });

  it("shows what the ordinary page shows only without scripts", () => {
    const markup = '<noscript><video src="/a.mp4"><source src="/a.webm"/>a</video></noscript>';
    expect(createPage(markup)).toBe("a");
  });

  it("always shows what a popover contains", () => {
    const markup =
      '<button type="button" popovertarget="menu">Menu</button><nav id="menu" popover="auto">a</nav>';
    expect(createPage(markup)).toBe('<nav id="menu">a</nav>');
  });

  it("shows a panel when the reader opens it", () => {
    const markup =
      '<button type="button" popovertarget="p"><svg></svg>Follow</button><div id="p" popover="auto" role="dialog"><p>a</p></div>b';
    expect(createPage(markup)).toBe('<details id="p"><summary>Follow</summary><p>a</p></details>b');
  });

  it("closes a part that has a summary", () => {
    const markup =
      '<button type="button" popovertarget="m">Menu<i>Close</i></button><div id="m" popover="auto" data-summary="Menu"><div><a href="#a">a</a></div></div>b';
    expect(createPage(markup)).toBe(
      '<details id="m"><summary>Menu</summary><div><a href="#a">a</a></div></details>b',
    );
  });

  it.each([
    ["a tooltip", '<a href="#a" aria-label="X (opens)" data-tooltip="X"><svg></svg></a>', "X"],
    ["a label", '<button aria-label="Search"><svg></svg></button>', "Search"],
    [
      "an image",
      '<a href="#a"><img alt="Fish &amp; &quot;chips&quot;"></a>',
      "Fish &amp; &quot;chips&quot;",
    ],
  ])("shows %s instead of an icon", (_, markup, text) => {
    expect(createPage(markup)).toContain(`>${text}</`);
  });

  it("has no link that consists of a decorative image", () => {
    expect(createPage('a<a href="/news"><img src="/a.svg" alt=""/></a>b')).toBe("ab");
  });

  it("describes the image of a story", () => {
    const markup = '<figure><picture><source/><img alt="A &lt;cat&gt;"/></picture></figure>';
    expect(createPage(markup)).toBe(
      '<figure><p class="image-text">Image: A &lt;cat&gt;</p></figure>',
    );
  });

  it("links to what a frame shows", () => {
    const own = '<iframe src="/form?a=1&amp;edition=full" title="Write to us"></iframe>';
    expect(createPage(own)).toBe('<p><a href="/form?a=1&amp;edition=light">Write to us</a></p>');
    const external = '<iframe src="https://example.org/map" title="Map"></iframe>';
    expect(createPage(external)).toBe('<p><a href="https://example.org/map">Map</a></p>');
  });

  it("separates texts that a gap separates on the ordinary page", () => {
    expect(createPage("<p><span>Free</span><span>Sample</span></p>")).toBe(
      "<p><span>Free</span> <span>Sample</span></p>",
    );
  });

  it("carries the edition in links and forms", () => {
    expect(createPage('<a href="/news#a">a</a>')).toBe('<a href="/news?edition=light#a">a</a>');
    expect(createPage('<form method="post" action="/newsletter"></form>')).toBe(
      '<form method="post" action="/newsletter?edition=light"></form>',
    );
    expect(createPage('<form action="/search"></form>')).toBe(
      '<form action="/search"><input type="hidden" name="edition" value="light"></form>',
    );
  });

  it("says at the beginning which edition it is, and links to the full one", () => {
    const markup = "<head></head><body><header></header></body>";
    const page = createLightPage(markup, { search: "?q=a%22b&edition=light", isPage, head: "" });
    expect(page).toContain('<a href="?q=a%22b&amp;edition=full">Full edition</a></aside><header>');
    expect(createPage("<body></body>")).toContain('<a href="/?edition=light">Home</a>');
  });

  it("has its styles in the page", () => {
    const { head } = findLightStyle(testLook.colors);
    expect(head).toMatch(/<style>.*<\/style>$/s);
    expect(createLightPage("<head></head>", { search: "", isPage, head })).toBe(
      `<head>${head}</head>`,
    );
  });
});

describe("hostile texts", () => {
  it.each([
    '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">a</p>',
    '<p title="> <script>">a</p>',
    "<p title='\"><script>alert(1)</script>'>a</p>",
    '<a href="/news?a=&quot;&gt;&lt;img src=x onerror=alert(1)&gt;">a</a>',
    '<img alt="&lt;script&gt;alert(1)&lt;/script&gt;"/><p>&lt;script&gt;</p>',
    '<a href="#a"><img alt="&lt;script&gt;alert(1)&lt;/script&gt;"/></a>',
  ])("%s stays text", (markup) => {
    const page = createPage(markup);
    // Attributes and texts of the result are escaped, so every tag in it is one that we wrote.
    expect(page.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<(?:script|img)/);
    expect(page).not.toMatch(/="[^"]*[<>]/);
  });

  it.each([
    ["unclosed tags", "<a "],
    ["unclosed quotes", '<a b="'],
    ["attributes", "<a", " b='"],
    ["unclosed comments", "<!--"],
    ["unclosed scripts", "<script>"],
    ["nested elements", "<i><img>"],
    ["ends without a start", "</div>"],
    ["links without content", "<a>"],
    ["characters in a link", '<a href="/', ".?#"],
  ])("with very many %s are read in linear time", (_, start, repeated = start) => {
    expect(createPage(start + repeatVeryOften(repeated))).toBeTypeOf("string");
  });
});
