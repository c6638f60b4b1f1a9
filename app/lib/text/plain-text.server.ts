import { withoutNewTabNotes } from "../links/external-links.ts";
import { htmlToText } from "./html-text.server.ts";

/** Returns the text of HTML on one line. */
export const htmlToLine = (html: string): string => oneLine(htmlToText(withoutNewTabNotes(html)));

/** Returns the text of HTML with a line break for each paragraph and each <br>. */
export const htmlToLines = (html: string): string => normalizeLines(htmlToText(html));

/** Normalizes white space: at most one empty line in a row, and one space between words. */
export const normalizeLines = (text: string): string =>
  text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

/**
 * Returns the text of Markdown on one line. The function only removes markup characters, which is
 * enough for search.
 */
export const markdownToLine = (source: string): string =>
  htmlToLine(
    source
      // Keeps the text of a link and removes its URL. The lengths are limited, because a hostile
      // text may consist of brackets only.
      .replaceAll(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,1000}\)/g, "$1")
      .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-+]|\d{1,3}\.)\s/gm, "")
      .replaceAll(/[*_`~]+/g, ""),
  );

/** Text for search, in its original format. */
export type SourceText = { format: "html" | "markdown"; text: string };

export const sourceToLine = ({ format, text }: SourceText): string =>
  format === "html" ? htmlToLine(text) : markdownToLine(text);

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
