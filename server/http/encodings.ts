import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The encodings in which we send text. */
export const allEncodings = ["identity", "gzip", "br"] as const;
export type Encoding = (typeof allEncodings)[number];

/** What is sent more often pays for a higher Brotli quality. */
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
