import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export const allEncodings = ["identity", "gzip", "br"] as const;
export type Encoding = (typeof allEncodings)[number];

/** A higher Brotli quality takes longer, and pays off for content that is sent often. */
export async function compress(
  body: Buffer,
  encoding: Encoding,
  brotliQuality: number,
): Promise<Buffer> {
  switch (encoding) {
    case "identity":
      return body;
    case "gzip":
      return promisify(gzip)(body);
    case "br":
      return promisify(brotliCompress)(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
      });
  }
}

const preferredEncodings = ["br", "gzip"] as const satisfies Encoding[];

/** Browsers send only a handful of different headers, so each header is parsed once. */
const encodingByHeader = new Map<string, Encoding>();
const maxCachedHeaders = 100;

export function chooseEncoding(header: string): Encoding {
  const cached = encodingByHeader.get(header);
  if (cached) return cached;
  const encoding = preferredEncodings.find((candidate) => allows(header, candidate)) ?? "identity";
  if (encodingByHeader.size < maxCachedHeaders) encodingByHeader.set(header, encoding);
  return encoding;
}

function allows(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, quality = "q=1"] = item.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace(/^q=/, "")) > 0;
  });
}
