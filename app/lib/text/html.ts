/** Escapes text for a quoted attribute or for the space between tags. */
export const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** Converts plain text to HTML that shows it unchanged. An empty line begins a paragraph. */
export const textToHtml = (text: string) =>
  escapeHtml(text)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.trim() || [])
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
