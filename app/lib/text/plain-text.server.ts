import { decodeHTMLStrict } from "entities";
import { withoutNewTabNotes } from "../links/external-links.ts";
import { blockElements } from "./html-blocks.server.ts";
import { htmlToText } from "./html-text.server.ts";
import { stripControlCharacters } from "./plain-text.ts";
import { toTypographic } from "./typography/typography.ts";

export const htmlToLine = (html: string): string => oneLine(htmlToText(withoutNewTabNotes(html)));

/** Returns the text of HTML with a line break for each paragraph and each <br>. */
export const htmlToLines = (html: string): string => normalizeLines(htmlToText(html));

/** Normalizes white space: at most one empty line in a row, and one space between words. */
const normalizeLines = (text: string): string =>
  text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

/**
 * Some sources put HTML into fields of plain text. Others have URLs in angle brackets, which are
 * not HTML, so only these tags count.
 */
const htmlTag =
  /<\/?(?:[abipsu]|br|div|span|strong|em|li|ul|ol|h[1-6]|font|table|html|img|script)[\s/>]/i;

/** Returns the lines of a text that may be HTML, without the control characters it may escape. */
export const mixedTextToLines = (text: string): string =>
  normalizeLines(
    stripControlCharacters(htmlTag.test(text) ? htmlToText(text) : decodeHTMLStrict(text)),
  );

/** Returns the text of Markdown on one line, with typographic marks, for search. */
export const markdownToLine = (source: string): string =>
  toTypographic(oneLine(markdownToParagraphs(source).replaceAll(/[•|]/g, " ")));

const blockTag = new RegExp(`</?(?:${blockElements})(?=[\\s/>])`, "gi");

/**
 * Returns the text of Markdown and HTML without its markup, with an empty line between paragraphs.
 * Use this for a text that takes too long to parse: every step takes time proportional to the
 * length of the text.
 */
export const markdownToParagraphs = (source: string): string =>
  htmlToLines(
    source
      .replaceAll(/\r\n?/g, "\n")
      // Lines that only separate other lines, and the URLs of links that are defined elsewhere.
      .replaceAll(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, "")
      .replaceAll(/^[ \t]*[-=*_|][-=*_|: \t]*$/gm, "")
      .replaceAll(/^ {0,3}\[[^[\]\n]{1,300}\]:[ \t].*$/gm, "")
      .replaceAll(/!?\[([^[\]\n]{0,300})\](?:\([^()\n]{0,1000}\)|\[[^[\]\n]{0,300}\])/g, "$1")
      .replaceAll(/<((?:https?|mailto):[^<>\s]{1,1000})>/g, "$1")
      .replaceAll(/^(?:[ \t]*>)+[ \t]*/gm, "")
      .replaceAll(/^[ \t]*#{1,6}[ \t](.*)$/gm, "\n$1\n")
      .replaceAll(/^[ \t]*[-+*][ \t]/gm, "• ")
      .replaceAll(/[*`]+|~~+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
      .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
      .replaceAll(blockTag, "\n\n$&"),
  );

/** Text for search, in its original format. */
export type SourceText = { format: "html" | "markdown"; text: string };

export const sourceToLine = ({ format, text }: SourceText): string =>
  format === "html" ? htmlToLine(text) : markdownToLine(text);

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
