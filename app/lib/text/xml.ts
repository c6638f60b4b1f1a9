/** Removes the characters that XML does not allow, even if they are escaped. */
export const withoutInvalidXml = (text: string) =>
  text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for an element or an attribute of an XML document. */
export const escapeXml = (text: string) =>
  withoutInvalidXml(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
