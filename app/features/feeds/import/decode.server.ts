/**
 * Decodes a document. The bytes themselves are more reliable than the charset that the document or
 * the server declares.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
  const [b0, b1, b2] = bytes;
  if (b0 === 0xef && b1 === 0xbb && b2 === 0xbf) return read(bytes, "utf-8");
  if (b0 === 0xff && b1 === 0xfe) return read(bytes, "utf-16le");
  if (b0 === 0xfe && b1 === 0xff) return read(bytes, "utf-16be");
  // "<", "{" or a space next to a zero byte.
  if (b0 !== undefined && b0 !== 0 && b1 === 0) return read(bytes, "utf-16le");
  if (b0 === 0 && b1 !== undefined && b1 !== 0) return read(bytes, "utf-16be");

  const label =
    xmlEncoding(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  // Text in UTF-16 or UTF-32 has zeros in its first bytes. Without them, the declared charset is
  // wrong.
  const declared = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(label) ? "utf-8" : label;
  const isUtf8 = /^utf-?8$|^us-ascii$/i.test(declared);
  // Text in another encoding is hardly ever valid UTF-8 by chance, except in 7-bit encodings.
  if (isUtf8 || !/2022|utf-7|^hz/i.test(declared)) {
    const text = decodeStrictUtf8(bytes);
    if (text !== null) return text;
  }
  if (!isUtf8) return read(bytes, declared.replace(/^iso-?8859-1$/i, "windows-1252"));
  // Not quite valid UTF-8: either UTF-8 with a few broken characters, or another encoding.
  const text = read(bytes, "utf-8");
  const broken = text.split("�").length - 1;
  const intact = text.match(/[^\0-\x7f�]/g)?.length ?? 0;
  return broken > intact ? read(bytes, "windows-1252") : text;
}

function xmlEncoding(bytes: Uint8Array): string | undefined {
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

function read(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // TextDecoder does not know this label. In windows-1252, at least every byte is a character.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
