import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { requestIdHeader, strictTransportHeader, varyHeader } from "./headers.ts";

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

/**
 * A finished response: of a page, or of a file such as a feed. It is the same for every reader, so
 * its bytes and headers are created once.
 */
export type CachedResponse = { status: number; variants: Partial<Record<Encoding, Variant>> };

/**
 * The response in one encoding. Headers are a flat list of names and values, because Node sends
 * that with the least work. The last value is the request id, filled in just before sending. The
 * `secure` headers are for readers who use HTTPS.
 */
export type Variant = {
  body: Buffer;
  etag: string;
  headers: { plain: string[]; secure: string[] };
};

/** Each variant has its own values of these headers. */
const variantHeaders = new Set(["vary", "etag", "content-length", "content-encoding"]);

const brotliQuality = 6;

export async function encodeResponse(
  status: number,
  headers: Iterable<[string, string]>,
  body: Buffer,
  encodings: readonly Encoding[] = allEncodings,
): Promise<CachedResponse> {
  const version = hash("sha256", body, "base64url").slice(0, 22);
  const list = [...headers];
  const vary = varyHeader(list.find(([name]) => name.toLowerCase() === "content-type")?.[1]);
  const shared = list.filter(([name]) => !variantHeaders.has(name.toLowerCase())).flat();
  const createVariant = async (encoding: Encoding) => {
    const bytes = await compress(body, encoding, brotliQuality);
    const etag = `"${version}-${encoding}"`;
    const common = [
      ...shared,
      "Vary",
      vary,
      "ETag",
      etag,
      "Content-Length",
      String(bytes.length),
      ...(encoding === "identity" ? [] : ["Content-Encoding", encoding]),
    ];
    const plain = [...common, requestIdHeader, ""];
    const secure = [...common, ...strictTransportHeader, requestIdHeader, ""];
    return [encoding, { body: bytes, etag, headers: { plain, secure } }] as const;
  };
  return { status, variants: Object.fromEntries(await Promise.all(encodings.map(createVariant))) };
}

/** The names and values of the headers, without the request id at their end. */
export const listHeaders = ({ headers: { plain } }: Variant): [string, string][] =>
  plain
    .slice(0, -2)
    .flatMap((name, index, all) => (index % 2 ? [] : [[name, all[index + 1] ?? ""]]));

/** How much memory a response takes. */
export const countBytes = ({ variants }: CachedResponse): number =>
  Object.values(variants).reduce(
    (sum, { body, headers }) => sum + body.length + headers.secure.join("").length,
    0,
  );
