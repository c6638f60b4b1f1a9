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

/** Removes the characters that XML does not allow, even if they are escaped. */
export const withoutInvalidXml = (text: string) =>
  text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");

/** Escapes text for an element or an attribute in double quotes. */
export const escapeXml = (text: string) => withoutInvalidXml(escapeHtml(text));
