import { formatInstant } from "../format-instant.ts";

/**
 * Whether a page loads our scripts, unlike the low-data edition. A headline may contain the same
 * characters, but never a tag.
 */
export const hasScripts = (html: string): boolean =>
  /<script [^<>]{0,200}>import "\/assets\/manifest-[\w-]+\.js"/.test(html);

export function findTitle(html: string, siteName: string): string {
  const title = decodeEntities(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "").trim();
  return title.endsWith(` | ${siteName}`) ? title.slice(0, -` | ${siteName}`.length) : title;
}

/**
 * Returns the paths of the images in a page, at most `max`. Of a photo, it is the variant of middle
 * width in the smallest format.
 */
export function findImages(html: string, max: number): string[] {
  const sources = [...html.matchAll(/<img [^>]*?\bsrc="(\/[^/"][^"]*)"/g)].map(([, src = ""]) =>
    decodeEntities(src).replace(/(\.\w+\/\d+)\.(?:jpg|png|webp)(?=\?|$)/, "$1.avif"),
  );
  return [...new Set(sources)].slice(0, max);
}

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** React writes only these entities. */
const decodeEntities = (text: string) =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);

export function describeCopy(sentAt: number, timeZone: string, isOnline: boolean): string {
  const reason = isOnline ? "We could not reach the site." : "You are offline.";
  return `${reason} This is the page as of ${formatInstant(sentAt, timeZone)}.`;
}

/**
 * Adds a notice at the beginning of a page. React ignores elements of the body that it did not
 * render. The notice has no link, because the first link of a page skips to its content.
 */
export const insertNotice = (html: string, text: string): string =>
  html
    .replace(
      /<body[^>]*>/,
      (body) =>
        `${body}<aside class="stored-copy no-print" aria-label="Stored copy"><p class="page">${text}</p></aside>`,
    )
    // In each alert, because the reader may have dismissed some of them, or all.
    .replaceAll('<small class="alert-time">', (times) => times + staleAlert);

const staleAlert = "May be out of date. ";
