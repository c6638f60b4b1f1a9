/** Text as it must stand inside a quoted attribute or between tags. */
export const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** A text that somebody typed, as HTML that shows it just so: an empty line begins a paragraph. */
export const textToHtml = (text: string) =>
  escapeHtml(text)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.trim() || [])
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
