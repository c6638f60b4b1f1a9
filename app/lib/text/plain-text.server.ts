import { withoutNewTabNotes } from "../links/external-links.ts";
import { htmlToText } from "./html-text.server.ts";

/** The words of HTML, on one line. */
export const htmlToLine = (html: string): string => oneLine(htmlToText(withoutNewTabNotes(html)));

/** The words of HTML in lines: its paragraphs and line breaks stay. */
export const htmlToLines = (html: string): string => normalizeLines(htmlToText(html));

/** Text in lines, with at most one empty line between them and one space between words. */
export const normalizeLines = (text: string): string =>
  text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

/**
 * The words of Markdown, on one line. By its signs only: to be searched it need not be understood.
 */
export const markdownToLine = (source: string): string =>
  htmlToLine(
    source
      // A link's text stays, its address goes. Bounded, since a hostile text may be all brackets.
      .replaceAll(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,1000}\)/g, "$1")
      .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-+]|\d{1,3}\.)\s/gm, "")
      .replaceAll(/[*_`~]+/g, ""),
  );

/** A text to be searched, as it was written. */
export type SourceText = { format: "html" | "markdown"; text: string };

export const sourceToLine = ({ format, text }: SourceText): string =>
  format === "html" ? htmlToLine(text) : markdownToLine(text);

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
