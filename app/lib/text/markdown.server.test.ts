import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withoutNewTabNotes } from "../links/external-links.ts";
import { renderMarkdown } from "./markdown.server.ts";
import { htmlToLine } from "./plain-text.server.ts";

const render = (source: string) => renderMarkdown(source, "https://city.example").html;
const note = '<span class="sr-only"> (opens in a new tab)</span>';

it("opens links to other sites in a new tab, and says so to screen readers", () => {
  expect(render("- **[Out](https://a.example/x?y=1#z)** and <http://b.example>")).toBe(
    [
      "<ul>",
      `<li><strong><a href="https://a.example/x?y=1#z" target="_blank" rel="noopener">Out${note}</a></strong> and ` +
        `<a href="http://b.example" target="_blank" rel="noopener">http://b.example${note}</a></li>`,
      "</ul>",
    ].join("\n"),
  );
  expect(render("[Out](//c.example/)")).toContain('target="_blank"');
});

it.each([
  ["/about?a=1#b", "/about?a=1#b"],
  ["#top", "#top"],
  ["https://city.example/faq?a=1#b", "/faq?a=1#b"],
  ["https://city.example//evil.example/x", "/evil.example/x"],
  ["/a/..//evil.example", "/evil.example"],
  ["mailto:news@city.example", "mailto:news@city.example"],
  ["tel:+1-410-555-0100", "tel:+1-410-555-0100"],
])("opens a link to %s in the same tab", (written, href) => {
  expect(render(`[here](${written})`)).toBe(`<p><a href="${href}">here</a></p>`);
});

it("has tables, whose cells can be aligned and contain links", () => {
  expect(render("| Pier | Boats |\n| --- | ---: |\n| [One](/one) | 2 |\n| Two |")).toBe(
    [
      "<table>",
      '<thead>\n<tr>\n<th>Pier</th>\n<th align="right">Boats</th>\n</tr>\n</thead>',
      "<tbody>",
      '<tr>\n<td><a href="/one">One</a></td>\n<td align="right">2</td>\n</tr>',
      '<tr>\n<td>Two</td>\n<td align="right"></td>\n</tr>',
      "</tbody>",
      "</table>",
    ].join("\n"),
  );
  expect(render("Open 9–5 | closed on Mondays")).toBe("<p>Open 9–5 | closed on Mondays</p>");
});

it("omits the note from search texts and feeds", () => {
  const html = render("See [the map](https://a.example/) first.");
  expect(htmlToLine(html)).toBe("See the map first.");
  expect(withoutNewTabNotes(html)).not.toContain("new tab");
});

it.each([
  ['"*Yes*," she said', "<p>“<em>Yes</em>,” she said</p>"],
  ['*"Yes,"* she said', "<p><em>“Yes,”</em> she said</p>"],
  ["**Rock** 'n' *roll*", "<p><strong>Rock</strong> ’n’ <em>roll</em></p>"],
  ["[Fells Point](/a)'s pier", '<p><a href="/a">Fells Point</a>’s pier</p>'],
  ["(\"[One](/a)\" and '**two**')", '<p>(“<a href="/a">One</a>” and ‘<strong>two</strong>’)</p>'],
  ["`it's`'s a \"`--word`\"", "<p><code>it's</code>’s a “<code>--word</code>”</p>"],
  ['    it\'s "code"', '<pre><code>it\'s "code"\n</code></pre>'],
  ["It's -- *truly* - long", "<p>It’s — <em>truly</em> — long</p>"],
  ["[x](/it's--x)", '<p><a href="/it&#x27;s--x">x</a></p>'],
  ["![Boats at Fell's Point](/a.jpg)", '<p><img src="/a.jpg" alt="Boats at Fell’s Point"></p>'],
  ['"One\n\n"Two"', "<p>“One</p>\n<p>“Two”</p>"],
])("%s has typographic marks, but not in code and URLs", (source, html) => {
  expect(render(source)).toBe(html);
});

it("gives a heading with an apostrophe the same id as before", () => {
  expect(renderMarkdown("## What's new").headings).toEqual([
    { id: "what-s-new", text: "What’s new" },
  ]);
});

it("no heading has an id of the page around the text", () => {
  const frames = "app/{features/{layout,blog/pages},ui}/**/*.tsx";
  const files = [
    ...globSync(frames),
    "app/features/stories/pages/story-page.tsx",
    "app/features/stories/pages/newsroom-block.tsx",
    "app/features/events/pages/meeting-page.tsx",
    "app/features/newsletter/pages/newsletter-form.tsx",
  ];
  const ids = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bid="([a-z-]+)"/g)].map(([, id = ""]) => id),
  );
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ["alerts", ...ids])
    expect(renderMarkdown(`## ${id}`).html, id).toContain(`id="${id}-2"`);
});
