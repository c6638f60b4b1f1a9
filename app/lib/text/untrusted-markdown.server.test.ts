import { describe, expect, it } from "vitest";
import { isParsable, isQuickToParse } from "./markdown-limits.server.ts";
import { renderUntrusted } from "./untrusted-markdown.server.ts";

const options = {
  origin: "https://city.example",
  toImagePath: (link: string) => (link.startsWith("https://") ? `/images/${link.slice(8)}` : null),
};
const render = (source: string) => renderUntrusted(source, options);

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

  it("is shown as plain text if it is too long or too deeply nested to be parsed", () => {
    const long = `# A **b** <script>\n\n${"word ".repeat(20_000)}`;
    expect(render(long)).toMatch(/^<p># A \*\*b\*\* &lt;script&gt;<\/p>\n<p>word word/);
    expect(render(`${">".repeat(200)} deep`)).toBe(`<p>${"&gt;".repeat(200)} deep</p>`);
  });
});

const hostile: Record<string, string> = {
  "nested emphasis": "*a **b ",
  "emphasis of underscores": "_a __b ",
  stars: "*",
  brackets: "[",
  "unfinished links": "[a](",
  "unfinished images": "![",
  references: "[a]: /b\n\n[a]\n\n",
  quotes: ">",
  "quotes in lines": "> a\n\n",
  "nested lists": "- a\n  - b\n    - c\n",
  "lists in one line": "1. ",
  "loose lists": "- a\n\n",
  "headings underlined": "a\n=\n",
  "deep elements": "<div>",
  "mixed elements": "<b></i>",
  tables: "<table><tr><td>",
  "unfinished tags": "<a ",
  backticks: "`a``b",
  entities: "&amp;",
  escapes: "\\",
  "empty lines": "\n",
  paragraphs: "a\n\n",
};

/** CPU time in milliseconds: the minimum of several runs, because the machine may be busy. */
function measureCost(source: string, runs = 3): number {
  const costs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    render(source);
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...costs);
}

describe("a hostile text", () => {
  const line = "The **harbor** was [quiet](https://a.example/), said *somebody* there. ".repeat(8);
  const article = `${line}\n\n`.repeat(70);
  expect(isParsable(article)).toBe(true);
  const articleCost = Math.max(measureCost(article), measureCost(article));

  it.each(Object.entries(hostile))(
    "of %s costs about as much as a long article, whatever its length",
    (_name, unit) => {
      // The longest text that is still parsed, and then longer and longer ones.
      let parsed = 1;
      while (parsed * unit.length < 65_536 && isParsable(unit.repeat(parsed * 2))) parsed *= 2;
      const sizes = [
        parsed,
        ...[65_536, 250_000, 1_000_000].map((length) => Math.floor(length / unit.length)),
      ];
      for (const size of sizes)
        expect(measureCost(unit.repeat(size), 1), `${size} times`).toBeLessThan(articleCost * 4);
    },
  );

  it.each(Object.entries(hostile))(
    "of %s costs no more than an article if it is short",
    (_name, unit) => {
      let size = 1;
      while (isQuickToParse(unit.repeat(size + 1))) size += 1;
      expect(measureCost(unit.repeat(size))).toBeLessThan(articleCost);
    },
  );

  it("of a megabyte costs twice as much as half of it, not four times", { timeout: 30_000 }, () => {
    for (const unit of ["*a **b ", "> a\n\n", "<div>"]) {
      const [half = 0, whole = 0] = [500_000, 1_000_000].map((length) =>
        measureCost(unit.repeat(Math.floor(length / unit.length))),
      );
      expect(whole, unit).toBeLessThan(half * 3 + 5);
    }
  });
});
