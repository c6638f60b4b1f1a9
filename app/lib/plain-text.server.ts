import { decodeHTML } from "entities";
import { withoutNewTabNotes } from "./outside-links.ts";

const inlineTag = /<\/?(?:a|abbr|b|code|del|em|i|kbd|mark|q|s|small|span|strong|sub|sup)\b[^>]*>/gi;
const anyTag = /<[^>]*>/g;

/** The words of our own HTML, on one line. */
export const textOfHtml = (html: string): string =>
  oneLine(decodeHTML(withoutNewTabNotes(html).replaceAll(inlineTag, "").replaceAll(anyTag, " ")));

/** The words of Markdown, on one line. By its signs only: to be searched it need not be understood. */
export const textOfMarkdown = (source: string): string =>
  textOfHtml(
    source
      // A link's text stays, its address goes. Bounded, since a hostile text may be all brackets.
      .replaceAll(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,1000}\)/g, "$1")
      .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-+]|\d{1,3}\.)\s/gm, "")
      .replaceAll(/[*_`~]+/g, ""),
  );

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
