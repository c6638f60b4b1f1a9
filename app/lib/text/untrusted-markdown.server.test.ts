import { describe, expect, it } from "vitest";
import { hostileMarkdown } from "../../../tests/fixtures/hostile-markdown.ts";
import { renderUntrusted, renderWithoutMarkup } from "./untrusted-markdown.server.ts";

const options = {
  origin: "https://city.example",
  toImagePath: (link: string) => (link.startsWith("https://") ? `/images/${link.slice(8)}` : null),
};
const render = (source: string) => renderUntrusted(source, options);

const paragraph =
  "The **harbor** was [quiet](https://a.example/), said *somebody* there, and the ferry sailed. ";

/** Texts as people write them: a part, how often it is repeated, and the HTML that it becomes. */
const ordinaryTexts: [name: string, part: string, times: number, html: string][] = [
  [
    "paragraphs of HTML with a link",
    '<p>Hello <a href="https://a.example/">there</a></p>\n',
    51,
    '<p>Hello <a href="https://a.example/"',
  ],
  ["paragraphs of HTML", "<p>Hello there</p>\n", 101, "<p>Hello there</p>"],
  [
    "tables of HTML",
    "<table>\n<tr><td>Pier</td><td>2</td><td>3</td></tr>\n</table>\n",
    25,
    "<table>\n<tbody><tr><td>Pier</td><td>2</td><td>3</td></tr>",
  ],
  [
    "table rows",
    "| Pier | 2 | 3 |\n| --- | --- | --- |\n| Quay | 4 | 5 |\n\n",
    101,
    "<td>Quay</td>",
  ],
  ["list items", "- [Item](https://a.example/)\n", 101, '<li><a href="https://a.example/"'],
  ["entities", "Hello there&nbsp;", 400, "Hello there\u00a0"],
  ["lines", "A line of text here.\n", 1_200, "A line of text here."],
  ["URLs", "<https://a.example/page>\n", 201, '<a href="https://a.example/page"'],
  ["paragraphs", `${paragraph.repeat(6)}\n\n`, 140, "<p>The <strong>harbor</strong>"],
];

describe("a text from an external source", () => {
  it("has headings, emphasis, lists, quotes, code and links", () => {
    expect(
      render(
        "# A\n\n## B\n\n### C\n\n#### D\n\nWords in **bold** and *italics*.\nSame line.\n\n- one\n- two\n\n1. first\n\n> said\n\n`code`\n\n[out](https://a.example/) [in](https://city.example/faq#top) [here](/about)",
      ),
    ).toBe(
      [
        "<h2>A</h2>",
        "<h3>B</h3>",
        "<h4>C</h4>",
        "<h5>D</h5>",
        "<p>Words in <strong>bold</strong> and <em>italics</em>.\nSame line.</p>",
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
        "<ol>\n<li>first</li>\n</ol>",
        "<blockquote>\n<p>said</p>\n</blockquote>",
        "<p><code>code</code></p>",
        '<p><a href="https://a.example/" target="_blank" rel="noopener">out<span class="sr-only"> (opens in a new tab)</span></a> <a href="/faq#top">in</a> <a href="/about">here</a></p>',
      ].join("\n"),
    );
  });

  it("has tables, without attributes other than the alignment", () => {
    expect(
      render("| Pier | Boats |\n| :-: | --- |\n| <b onclick=x>One</b> | <script>x()</script> |"),
    ).toBe(
      [
        '<table>\n<thead>\n<tr>\n<th align="center">Pier</th>\n<th>Boats</th>\n</tr>\n</thead>',
        '<tbody>\n<tr>\n<td align="center"><b>One</b></td>\n<td></td>\n</tr>\n</tbody>\n</table>',
      ].join("\n"),
    );
  });

  it("has no h1, which the page itself has, and skips no heading level", () => {
    expect(render("## A\n\n#### B\n\n<h1>C</h1>\n\n###### D").match(/<h\d/g)).toEqual([
      "<h2",
      "<h3",
      "<h2",
      "<h3",
    ]);
  });

  it("loads images lazily, from our own origin, and always with an alt attribute", () => {
    expect(
      render("![A boat](https://o.example/b.png) <img src='https://o.example/c.png' onerror=x>"),
    ).toBe(
      '<p><img src="/images/o.example/b.png" alt="A boat" loading="lazy" decoding="async"> <img src="/images/o.example/c.png" alt="" loading="lazy" decoding="async"></p>',
    );
    expect(
      render("![x](data:image/png;base64,AAAA) ![y](http://o.example/insecure.png)"),
    ).not.toContain("<img");
  });

  it.each([
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example></SCRIPT>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "<javascript:alert(1)>",
    "<p style='position:fixed'>x</p>",
    "<style>body{display:none}</style>",
    "<form action=/newsletter><input name=email autofocus onfocus=alert(1)><button>x</button></form>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=evil.swf></object><embed src=x>",
    "<a id=location name=cookie>x</a><p id=main class=button>x</p>",
    "<base href=//evil.example><meta http-equiv=refresh content=0><link rel=stylesheet href=//evil.example>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<textarea><script>alert(1)</script></textarea>",
    "[x]: javascript:alert(1)\n\n[x] ![x]",
    "<details open ontoggle=alert(1)>x</details>",
    "<video><source onerror=alert(1)></video>",
  ])("never contains active content from %s", (source) => {
    const html = render(source);
    expect(html).not.toMatch(
      /<(?!\/?(p|a|img|h\d|ul|li|br)\b)|\son\w+=|(href|src)="(javascript|data):|style=|\sid=|\sname=|\sclass=|srcdoc/i,
    );
  });

  it.each(ordinaryTexts)("is shown as HTML if it has many %s", (_name, part, times, html) => {
    expect(render(part.repeat(times)).split(html)).toHaveLength(times + 1);
  });

  it("is shown as HTML even if it is much longer than an article of a newspaper", () => {
    const source = `${paragraph.repeat(6)}\n\n`.repeat(480);
    expect(source.length).toBeGreaterThan(256 * 1024);
    expect(render(source).match(/<strong>harbor/g)).toHaveLength(6 * 480);
  });

  it("is shown as HTML if it has a long table or a long block of code", () => {
    const rows = "<tr><td>Pier</td><td>2</td><td>3</td></tr>\n".repeat(25);
    expect(render(`<table>\n${rows}</table>`).match(/<td>/g)).toHaveLength(75);
    const code = "if (a[0] && b(c)) { d(`e`, *f) }\n".repeat(44);
    expect(render(`\`\`\`\n${code}\`\`\``)).toMatch(/^<pre><code>(if .*\n){44}<\/code><\/pre>$/);
  });

  it("is read as HTML if a block tag begins it, even where Markdown would see code", () => {
    expect(
      render("<div>\n\n    <p>One *two*</p>\n\n    <ul>\n\n      <li>a</li></ul>\n</div>"),
    ).toBe("\n\n    <p>One *two*</p>\n\n    <ul>\n\n      <li>a</li></ul>\n");
  });

  it("is read as Markdown where text follows an empty line, even if a block tag begins it", () => {
    expect(render("<p>One</p>\n\n## Two\n\n<div>\n\nThree **four**\n\n</div>")).toBe(
      "<p>One</p>\n<h2>Two</h2>\n\n<p>Three <strong>four</strong></p>\n",
    );
  });

  it("is shown without its markup if it takes too long to parse", () => {
    const tooMany = "*a _b ".repeat(2_000);
    const text = `## A **b** <script>x()</script>\n\n${tooMany}\n\n> [Said](https://a.example/) <https://b.example/>\n\n- one\n- two\n\n\`\`\`js\nconst snake_case = 1;\n\`\`\`\n<div><p>Tom &amp; <b>Jerry</b></p>\n<p>5 &lt; 6</p></div>\n\n[a]: /b\nTitle\n=====\n![A boat](/b.png)`;
    expect(renderWithoutMarkup(text).replace(/(a b ?)+/, "…")).toBe(
      [
        "<p>A b</p>",
        "<p>…</p>",
        "<p>Said https://b.example/</p>",
        "<p>• one<br>• two</p>",
        "<p>const snake_case = 1;</p>",
        "<p>Tom &amp; Jerry</p>",
        "<p>5 &lt; 6</p>",
        "<p>Title</p>",
        "<p>A boat</p>",
      ].join("\n"),
    );
  });

  it("is shown without its markup if it is too deeply nested", () => {
    expect(render(`${">".repeat(5_000)} deep **down**`)).toBe("<p>deep down</p>");
  });
});

describe("a hostile text", () => {
  it.each(hostileMarkdown)(
    "of $name keeps every word that people wrote, without markup, if it takes too long to parse",
    ({ part }) => {
      const hostile = part.repeat(300_000 / part.length);
      const html = renderWithoutMarkup(`## The **start** <b>is</b> [here](/x)\n\n${hostile}`);
      expect(html).toMatch(/^<p>The start is here</);
      expect(html).not.toMatch(/\*\*|&lt;b&gt;|&lt;div/);
    },
  );

  it.each([
    (index: number) => `<p><b a=${index}><!--</b>-->x`,
    (index: number) => `<p><b a=${index}><!x</b>x`,
    (index: number) => `<b a=${index}>\`</b>\`\n\n`,
    (index: number) => `<p><b a=${index}><i title="</b>"></i>x`,
  ])("is not many times as long when it is shown (%s)", (toPart) => {
    const source = Array.from({ length: 300 }, (_, index) => toPart(index)).join("");
    expect(render(source).length).toBeLessThan(source.length * 10 + 50_000);
  });

  it("is not long without its markup either", () => {
    for (const text of ["&".repeat(500_000), '"'.repeat(500_000), "a\n\n".repeat(300_000)])
      expect(renderWithoutMarkup(text).length).toBeLessThan(2_200_000);
    expect(render("a\n".repeat(600_000)).length).toBeLessThan(2_200_000);
  });
});
