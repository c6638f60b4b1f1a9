import { isOwnPath } from "../../lib/links/own-path.ts";
import { escapeHtml } from "../../lib/text/html.ts";
import type { SavedItem } from "./saved-items.ts";

export const kindLabels = {
  headline: "Headline",
  story: "Story",
  post: "Blog post",
  event: "Event",
} satisfies Record<SavedItem["kind"], string>;

/** The day on the reader's own clock, as the page shows it. */
const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

/** Paths get our origin, because outside of the site, a link without it leads nowhere. */
const absoluteUrl = ({ url }: SavedItem, origin: string) =>
  isOwnPath(url) ? `${origin}${url}` : url;

/** Writes the list as plain text: per item its title, what it is, and its URL. */
export function toTextFile(items: SavedItem[], origin: string): string {
  return items
    .map((item) => {
      const day = dayFormat.format(item.savedAt);
      const facts = [kindLabels[item.kind], item.source, item.when, `saved ${day}`].filter(Boolean);
      return `${toLine(item.title)}\n${facts.join(", ")}\n${absoluteUrl(item, origin)}\n`;
    })
    .join("\n");
}

const toLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/**
 * Writes the list in the format that all browsers can import, which Netscape introduced. Programs
 * read it line by line, so a title must not contain a line break.
 */
export function toBookmarksFile(items: SavedItem[], origin: string, folder: string): string {
  const links = items.map((item) => {
    const url = escapeHtml(absoluteUrl(item, origin));
    const savedAtSeconds = Math.floor(item.savedAt / 1000);
    return `        <DT><A HREF="${url}" ADD_DATE="${savedAtSeconds}">${escapeHtml(toLine(item.title))}</A>`;
  });
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3>${escapeHtml(toLine(folder))}</H3>
    <DL><p>
${links.join("\n")}
    </DL><p>
</DL><p>
`;
}
