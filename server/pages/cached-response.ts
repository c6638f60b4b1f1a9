import { chooseEncoding } from "../http/accepted-encoding.ts";
import { type Encoding, encodePage } from "./page-cache.ts";

/** A response that is sent many times: its headers, and its body in every encoding. */
export type CachedResponse = {
  status: number;
  headers: [string, string][];
  bodies: Record<Encoding, Uint8Array<ArrayBuffer>>;
};

/** Compresses a response once for many uses. Consumes the body of the response. */
export async function encodeResponse(response: Response): Promise<CachedResponse> {
  const { status, headers } = response;
  const { variants } = await encodePage(status, headers, Buffer.from(await response.arrayBuffer()));
  const encodedBody = (encoding: Encoding) => new Uint8Array(variants[encoding].body);
  const bodies = {
    identity: encodedBody("identity"),
    gzip: encodedBody("gzip"),
    br: encodedBody("br"),
  };
  return { status, headers: [...headers], bodies };
}

export function toResponse(
  { status, headers, bodies }: CachedResponse,
  acceptEncoding: string,
): Response {
  const encoding = chooseEncoding(acceptEncoding);
  const response = new Response(bodies[encoding], { status, headers });
  response.headers.set("Vary", "Accept-Encoding");
  response.headers.set("Content-Length", String(bodies[encoding].length));
  if (encoding !== "identity") response.headers.set("Content-Encoding", encoding);
  return response;
}

export const countBytes = ({ bodies }: CachedResponse) =>
  Object.values(bodies).reduce((sum, { length }) => sum + length, 0);
