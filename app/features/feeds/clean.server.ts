import { decodeHTML } from "entities";

export const summaryLength = 200;
const titleLength = 300;
/** Nobody's summary is longer; what is, is a whole article, of which we show only the beginning. */
const readAtMost = 8_000;

/** Elements whose text is not meant to be read, and comments. */
const unread = /<(?:(script|style|template|noscript|svg|iframe)\b|!--)/gi;
const tagNames =
  "a|abbr|address|article|aside|audio|b|big|blockquote|body|br|button|caption|center|cite|code|col|dd|del|details|dfn|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|legend|li|link|main|mark|meta|nav|noscript|object|ol|option|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|tr|track|tt|u|ul|var|video|wbr";
/** Only what is a tag: "5 < 6" and "<name@example.com>" are text. */
const tag = new RegExp(`</?(?:${tagNames})(?:[\\s/][^<>]*)?>|<\\?[^<>]*>`, "gi");
const inline =
  /^<\/?(?:a|abbr|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)\b/i;

/** Control characters, and marks that turn the reading direction or hide letters; the joiner of emoji is let be. */
const invisible = /(?!\u200d)[\p{Cc}\p{Cf}]/gu;

/** HTML, as feeds hold it, to one line of plain text. */
export function plainText(html: string): string {
  const text = withoutUnread(html.slice(0, readAtMost)).replace(tag, (found) =>
    inline.test(found) ? "" : " ",
  );
  return oneLine(decodeHTML(text));
}

/** One pass: where an element has no end ahead of it, none of its name has one further on, so nobody looks again. */
function withoutUnread(html: string): string {
  const lower = html.toLowerCase();
  const endless = new Set<string>();
  let kept = "";
  let from = 0;
  for (const match of lower.matchAll(unread)) {
    const name = match[1] ?? "!--";
    if (match.index < from || endless.has(name)) continue;
    const end = lower.indexOf(name === "!--" ? "-->" : `</${name}`, match.index);
    if (end === -1) {
      endless.add(name);
      continue;
    }
    kept += `${html.slice(from, match.index)} `;
    from = lower.indexOf(">", end) + 1 || html.length;
  }
  return kept + html.slice(from);
}

/** Text that says of itself that it is no HTML. */
export const oneLine = (text: string) =>
  text.slice(0, readAtMost).toWellFormed().replace(/\s+/g, " ").replace(invisible, "").trim();

export const title = (text: string) => cutAtWord(text, titleLength);

/** The beginning of what an article says of itself, without what blog software adds at the end. */
export function summary(text: string, ownTitle: string): string {
  // What blog software adds stands at the end, so in a long text nobody would see it anyway.
  const said = text
    .slice(0, 1_000)
    .replace(/\s*The post .{1,300} (?:appeared first|first appeared) on .{1,100}$/i, "")
    .replace(/\s*(?:\[?(?:…|\.\.\.|&hellip;)\]?\s*)?(?:Continue reading|Read more)\b.{0,200}$/i, "…")
    .replace(/\s*\[(?:…|\.\.\.)\]\s*$/, "…")
    .trim();
  return said === ownTitle || said === "…" ? "" : cutAtWord(said, summaryLength);
}

/** At most so many characters, the last of them "…" if something was left out. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).toWellFormed();
  const end = cut.lastIndexOf(" ");
  const words = end > length / 2 ? cut.slice(0, end) : cut.replace(/�$/, "");
  return `${words.replace(/[\s,;:.–—-]+$/, "")}…`;
}

/** An address a reader may be sent to, or null. */
export function webLink(address: string | undefined, base: string): string | null {
  const url = URL.parse(address?.trim() ?? "", base);
  if (!address?.trim() || !url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    return null;
  return url.href.length <= 2_000 ? url.href : null;
}

const tracking =
  /^(?:utm_\w+|at_\w+|ns_\w+|mc_[ce]id|fbclid|gclid|dclid|msclkid|twclid|igshid|yclid|_hs\w+|mkt_tok|cmp|cmpid|ftag|intcmp|icid|ito|ncid|ocid|xtor|ref_src|smid|taid|wt_mc|s_cid)$/i;

/** What makes two addresses the same article: not the scheme, not "www.", not who counted the click. */
export function identityOf(link: string): string {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.host.replace(/^(?:www|m|amp)\./, "");
  const path = url.pathname.replace(/\/(?:amp\/?)?$/, "").replace(/\/index\.(?:html?|php)$/, "");
  return `${host}${path}${url.search}`;
}
