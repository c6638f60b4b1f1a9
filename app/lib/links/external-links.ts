/** What screen readers announce after the text of a link that leaves the site. */
export const newTabNote = " (opens in a new tab)";

const newTabMarkup = `<span class="sr-only">${newTabNote}</span>`;

/**
 * Removes the hidden note about the new tab. Search results, feeds and structured data have no
 * tabs, and no style that hides the note.
 */
export const withoutNewTabNotes = (html: string) => html.replaceAll(newTabMarkup, "");
