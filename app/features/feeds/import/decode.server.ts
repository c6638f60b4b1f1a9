/**
 * Bytes to text, whatever they are said to be. What they are counts for more than what somebody
 * says.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
  const [b0, b1, b2] = bytes;
  if (b0 === 0xef && b1 === 0xbb && b2 === 0xbf) return read(bytes, "utf-8");
  if (b0 === 0xff && b1 === 0xfe) return read(bytes, "utf-16le");
  if (b0 === 0xfe && b1 === 0xff) return read(bytes, "utf-16be");
  // "<" or "{" or a blank with a zero beside it.
  if (b0 !== undefined && b0 !== 0 && b1 === 0) return read(bytes, "utf-16le");
  if (b0 === 0 && b1 !== undefined && b1 !== 0) return read(bytes, "utf-16be");

  const label =
    xmlEncoding(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  // Text in UTF-16 or UTF-32 has zeros in its first bytes. Without them it is something else,
  // whatever it says.
  const declared = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(label) ? "utf-8" : label;
  const isUtf8 = /^utf-?8$|^us-ascii$/i.test(declared);
  // Other encodings can hardly look like valid UTF-8 by chance, unless they hide in seven bits.
  if (isUtf8 || !/2022|utf-7|^hz/i.test(declared)) {
    const text = decodeStrictUtf8(bytes);
    if (text !== null) return text;
  }
  if (!isUtf8) return read(bytes, declared.replace(/^iso-?8859-1$/i, "windows-1252"));
  // Not quite UTF-8: a text with a broken letter in it, or another text altogether?
  const text = read(bytes, "utf-8");
  const broken = text.split("�").length - 1;
  const whole = text.match(/[^\0-\x7f�]/g)?.length ?? 0;
  return broken > whole ? read(bytes, "windows-1252") : text;
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
    // Nobody knows an encoding of this name; this one at least knows every byte.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
