import { htmlToText } from "../../../lib/text/html-text.server.ts";
import { toVisibleLine } from "../../../lib/text/plain-text.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";

const summaryLength = 200;
const titleLength = 300;
/** No summary is this long. A longer text is a whole article, and we show only its beginning. */
const maxReadLength = 8_000;

/** Converts HTML from a feed to one line of plain text. */
export const plainText = (html: string) => oneLine(htmlToText(html.slice(0, maxReadLength)));

/** Puts text that is not HTML on one line. */
export const oneLine = (text: string) => toVisibleLine(text.slice(0, maxReadLength).toWellFormed());

export const title = (text: string) => truncateAtWord(text, titleLength);

/** The beginning of an item's text, without the sentences that blog software appends. */
export function summary(text: string, ownTitle: string): string {
  // Blog software appends its sentences at the end, which we cut off in a long text anyway.
  const cleaned = text
    .slice(0, 1_000)
    .replace(/\s*The post .{1,300} (?:appeared first|first appeared) on .{1,100}$/i, "")
    .replace(
      /\s*(?:\[?(?:…|\.\.\.|&hellip;)\]?\s*)?(?:Continue reading|Read more)\b.{0,200}$/i,
      "…",
    )
    .replace(/\s*\[(?:…|\.\.\.)\]\s*$/, "…")
    .trim();
  return cleaned === ownTitle || cleaned === "…" ? "" : truncateAtWord(cleaned, summaryLength);
}

/** The absolute http or https URL of a link, or null if it has none that is safe to show. */
export function webLink(href: string | undefined, base: string): string | null {
  const url = URL.parse(href?.trim() ?? "", base);
  if (!href?.trim() || !url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    return null;
  return url.href.length <= 2_000 ? url.href : null;
}

const tracking =
  /^(?:utm_\w+|at_\w+|ns_\w+|mc_[ce]id|fbclid|gclid|dclid|msclkid|twclid|igshid|yclid|_hs\w+|mkt_tok|cmp|cmpid|ftag|intcmp|icid|ito|ncid|ocid|xtor|ref_src|smid|taid|wt_mc|s_cid)$/i;

/**
 * The same string for all URLs of one article. It leaves out the scheme, "www." and tracking
 * parameters.
 */
export function toIdentity(link: string): string {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()])
    if (tracking.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.host.replace(/^(?:www|m|amp)\./, "");
  const path = url.pathname.replace(/\/(?:amp\/?)?$/, "").replace(/\/index\.(?:html?|php)$/, "");
  return `${host}${path}${url.search}`;
}
