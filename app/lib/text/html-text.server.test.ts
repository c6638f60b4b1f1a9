import { describe, expect, it } from "vitest";
import { repeatVeryOften } from "../../../tests/support/hostile-text.ts";
import { htmlToText } from "./html-text.server.ts";
import {
  htmlToLine,
  htmlToLines,
  markdownToLine,
  markdownToParagraphs,
} from "./plain-text.server.ts";
import { toVisibleLine } from "./plain-text.ts";

describe("the text of HTML", () => {
  it.each([
    ["<p>Text<o:p></o:p></p>", "Text"],
    ['<img alt="a > b" src="x">Text', "Text"],
    ["<img alt='a > b' src=x>Text", "Text"],
    ["Text<!-- a comment without an end", "Text"],
    ["A<!-- <b>x</b> -->B", "AB"],
    ["A<!-->B", "AB"],
    ["A<!--->B", "AB"],
    ["A<!-- x --!>B", "AB"],
    ["<!DOCTYPE html><html><head><title>T</title></head><body>Text</body></html>", "Text"],
    ["<![if !supportLists]>1.<![endif]> Text", "1. Text"],
    ["<?xml version='1.0'?>Text", "Text"],
    ["<script>if (a < b) document.write('<p>x</p>')</script>Text", "Text"],
    ["<STYLE>p > a { }</STYLE >Text", "Text"],
    ["Text<style>p { color: red }", "Text"],
    ["<script src='x'/>Text", "Text"],
    ["<textarea><b>x</b></textarea>Text", "Text"],
    ["<svg><title>x</title><text>y</text></svg>Text", "Text"],
    ["<video>Your browser cannot play this.</video>Text", "Text"],
    ["<svg>Text", "Text"],
    ["<![CDATA[<p>Text</p>]]>", "Text"],
    ["B<b>ol</b>d <i>words</i>", "Bold words"],
    ["<p>One</p><p>Two</p>", "One Two"],
    ["One<br>Two<hr/>Three", "One Two Three"],
    ["<td>1</td><td>2</td>", "1 2"],
    ["A<img src=x>B", "A B"],
    ["x<my-card class=a>y</my-card>", "xy"],
    ["<foo bar='1'>Text", "Text"],
    ["<foo>Text</foo>", "Text"],
    ["Tom &amp; Jerry&#8217;s &lt;b&gt;", "Tom & Jerry’s <b>"],
    ["AT&T &copy &nosuch;", "AT&T © &nosuch;"],
    ["5 < 6 and 7 > 6", "5 < 6 and 7 > 6"],
    ["I <3 Baltimore", "I <3 Baltimore"],
    ["List<T> and Map<K, V>", "List<T> and Map<K, V>"],
    ["<news@paper.example>", "<news@paper.example>"],
    ["See <https://paper.example/a>", "See <https://paper.example/a>"],
    ["x <y and <b>z</b>", "x <y and z"],
    ["x <y and z", "x <y and z"],
    ['Text <a href="https://paper.exam', "Text"],
    ["Text <a hre", "Text"],
    ["Text <br", "Text"],
    ["A</>B</ b>", "AB</ b>"],
    ["a < b", "a < b"],
    ["<a href=x>y", "y"],
    ['<a title="x"y>z', "z"],
    ["", ""],
  ])("%s is %s", (html, text) => {
    expect(htmlToLine(html)).toBe(text);
  });

  it("has line breaks at paragraphs and <br> if lines are requested", () => {
    expect(
      htmlToLines("<p>One\nline</p><p>Two<br/>lines</p>\n\n\n<ul><li>a</li><li>b</li></ul>"),
    ).toBe("One\nline\nTwo\nlines\n\na\nb");
  });

  it.each([
    "<a ",
    "<a<a",
    "<",
    "</",
    "<y ",
    "<!",
    "<!--",
    "<!-- -->",
    "<![CDATA[",
    "]]>",
    "<script>",
    "<svg>",
    "<svg></svg>",
    "</svg>",
    "<T>",
    "</T><T>",
    "<p>",
    '<a b="',
    "<a b='c' ",
    "<a =",
    "&",
    "&amp;",
    "<?a",
    "</div><div>",
    "\n  ",
    " \n",
  ])("is read in linear time, even if it consists of very many %o", (part) => {
    const html = repeatVeryOften(part);
    expect(htmlToLines(html).length).toBeLessThanOrEqual(html.length);
  });

  it.each(["svg", "object"])(
    "is read in linear time, even if very many <%s> follow the only end tag",
    (name) => {
      expect(htmlToText(`</${name}>${repeatVeryOften(`<${name}>`)}`).trim()).toBe("");
    },
  );
});

describe("the text of Markdown", () => {
  it.each([
    "[a](",
    "[",
    "[a]: ",
    "> ",
    ">",
    "- a\n",
    "1. ",
    "a_",
    "_",
    "` ",
    "~",
    "# ",
    "\\",
    "\n  ",
    "![a]",
    "*",
    " \n",
  ])("is read in linear time, even if it consists of very many %o", (part) => {
    const markdown = repeatVeryOften(part);
    expect(markdownToLine(markdown).length).toBeLessThanOrEqual(markdown.length);
    expect(markdownToParagraphs(markdown).length).toBeLessThanOrEqual(markdown.length);
  });
});

it("Markdown for search consists of its words", () => {
  const markdown =
    "## A **walk**\n\n- [Pier 5](/pier)\n- <b>snake_case</b>\n\n| Boat | Time |\n| --- | --- |\n| Ferry | 9 |\n\n```\ncode\n```\n> Tom &amp; *Jerry*";
  expect(markdownToLine(markdown)).toBe(
    "A walk Pier 5 snake_case Boat Time Ferry 9 code Tom & Jerry",
  );
});

describe("a visible line", () => {
  it.each([
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["क्\u200dष", "क्\u200dष"],
    ["👩\u200d🚒 and 👨🏽\u200d🚀", "👩\u200d🚒 and 👨🏽\u200d🚀"],
    [
      "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} wins",
      "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} wins",
    ],
    ["שלום\u200f (2026)\u200f\u200f", "שלום\u200f (2026)\u200f"],
    ["C++\u200e في بغداد", "C++\u200e في بغداد"],
    ["Plain\u200f text\u200e", "Plain text"],
    ["pass\u200cword\u200d", "password"],
    ["Turn \u202eback\u202c \u2066now\u2069", "Turn back now"],
    ["a\0b\u0007c\u001b[31md\u009b", "abc[31md"],
    ["soft\u00adhyphen zero\u200bwidth\ufeff", "softhyphen zerowidth"],
    ["\u200d\u200c\u2060", ""],
    ["two\r\n lines\t here", "two lines here"],
  ])("%o is %o", (written, seen) => {
    expect(toVisibleLine(written)).toBe(seen);
  });

  it.each(["\u200d", "\u200fa", "\u{1f3f4}\u{e0061}", " \n"])(
    "is read in linear time, even if it consists of very many %o",
    (part) => {
      const written = repeatVeryOften(part);
      expect(toVisibleLine(written).length).toBeLessThan(written.length);
    },
  );
});
