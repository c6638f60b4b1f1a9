/**
 * Decodes a document. The bytes themselves are more reliable than the charset that the document or
 * the server declares, so they are checked first.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
  const [b0, b1, b2] = bytes;
  if (b0 === 0xef && b1 === 0xbb && b2 === 0xbf) return decodeAs(bytes, "utf-8");
  if (b0 === 0xff && b1 === 0xfe) return decodeAs(bytes, "utf-16le");
  if (b0 === 0xfe && b1 === 0xff) return decodeAs(bytes, "utf-16be");
  // The first character ("<", "{" or a space) takes two bytes, one of which is zero.
  if (b0 !== undefined && b0 !== 0 && b1 === 0) return decodeAs(bytes, "utf-16le");
  if (b0 === 0 && b1 !== undefined && b1 !== 0) return decodeAs(bytes, "utf-16be");

  const label =
    findXmlEncoding(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  // Text in UTF-16 or UTF-32 has zeros in its first bytes. These bytes have none, so a declared
  // charset of that kind is wrong.
  const charset = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(label) ? "utf-8" : label;
  const isUtf8 = /^utf-?8$|^us-ascii$/i.test(charset);
  // Text in another encoding is hardly ever valid UTF-8 by chance, except in 7-bit encodings.
  if (isUtf8 || !/2022|utf-7|^hz/i.test(charset)) {
    const text = decodeStrictUtf8(bytes);
    if (text !== null) return text;
  }
  if (!isUtf8) return decodeAs(bytes, charset.replace(/^iso-?8859-1$/i, "windows-1252"));
  // The bytes are not valid UTF-8: either UTF-8 with a few broken characters, or another encoding.
  const text = decodeAs(bytes, "utf-8");
  const brokenCount = text.split("�").length - 1;
  const intactCount = text.match(/[^\0-\x7f�]/g)?.length ?? 0;
  return brokenCount > intactCount ? decodeAs(bytes, "windows-1252") : text;
}

function findXmlEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1];
}

function decodeStrictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeAs(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // TextDecoder does not know this label. In windows-1252, at least every byte is a character.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
