/** Reads the type from the first bytes. SVG is refused: such a document may contain scripts. */
export function imageType(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (/^ftypavi[fs]/.test(text.slice(4))) return "image/avif";
  return null;
}
