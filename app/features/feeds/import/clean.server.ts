import { htmlToText } from "../../../lib/text/html-text.server.ts";
import { toVisibleLine } from "../../../lib/text/plain-text.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";

const maxSummaryLength = 200;
const maxTitleLength = 300;
/** Text that is longer than this is a complete article, of which we show only the beginning. */
const maxInputLength = 8_000;

export const htmlToVisibleLine = (html: string) =>
  toLine(htmlToText(html.slice(0, maxInputLength)));

export const toLine = (text: string) => toVisibleLine(text.slice(0, maxInputLength).toWellFormed());

export const truncateTitle = (text: string) => truncateAtWord(text, maxTitleLength);

/** Returns the beginning of an item's text, without the sentences that blog software appends. */
export function toSummary(text: string, title: string): string {
  // Blog software appends its sentences at the end, which we cut off anyway if the text is long.
  const cleaned = text
    .slice(0, 1_000)
    .replace(/\s*The post .{1,300} (?:appeared first|first appeared) on .{1,100}$/i, "")
    .replace(
      /\s*(?:\[?(?:…|\.\.\.|&hellip;)\]?\s*)?(?:Continue reading|Read more)\b.{0,200}$/i,
      "…",
    )
    .replace(/\s*\[(?:…|\.\.\.)\]\s*$/, "…")
    .trim();
  return cleaned === title || cleaned === "…" ? "" : truncateAtWord(cleaned, maxSummaryLength);
}

/** Converts a link to an absolute http or https URL. Returns null if it is not safe to show. */
export function toWebLink(href: string | undefined, base: string): string | null {
  const url = URL.parse(href?.trim() ?? "", base);
  if (!href?.trim() || !url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    return null;
  return url.href.length <= 2_000 ? url.href : null;
}

const trackingParameter =
  /^(?:utm_\w+|at_\w+|ns_\w+|mc_[ce]id|fbclid|gclid|dclid|msclkid|twclid|igshid|yclid|_hs\w+|mkt_tok|cmp|cmpid|ftag|intcmp|icid|ito|ncid|ocid|xtor|ref_src|smid|taid|wt_mc|s_cid)$/i;

/**
 * Returns the same string for all URLs of one article, without the scheme, "www." and tracking
 * parameters.
 */
export function toIdentity(link: string): string {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()])
    if (trackingParameter.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.host.replace(/^(?:www|m|amp)\./, "");
  const path = url.pathname.replace(/\/(?:amp\/?)?$/, "").replace(/\/index\.(?:html?|php)$/, "");
  return `${host}${path}${url.search}`;
}
