import { escapeHtml } from "./html.ts";

/** Removes the characters that XML does not allow, even if they are escaped. */
export const withoutInvalidXml = (text: string) =>
  text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");

/** Escapes text for an element or an attribute in double quotes. */
export const escapeXml = (text: string) => withoutInvalidXml(escapeHtml(text));
