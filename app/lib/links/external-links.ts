/** What screen readers hear after the words of a link that leaves the site. */
export const newTabNote = " (opens in a new tab)";

const newTabMarkup = `<span class="sr-only">${newTabNote}</span>`;

/**
 * HTML without that note: search results, feeds and structured data have no tabs, and no style that
 * hides it.
 */
export const withoutNewTabNotes = (html: string) => html.replaceAll(newTabMarkup, "");
