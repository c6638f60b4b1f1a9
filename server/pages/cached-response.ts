import { chooseEncoding } from "../http/accepted-encoding.ts";
import { varyHeader } from "../http/headers.ts";
import { type Encoding, encodePage } from "./page-cache.ts";

/** A response that is sent many times: its headers, and its body in every encoding. */
export type CachedResponse = {
  status: number;
  headers: [string, string][];
  bodies: Record<Encoding, Uint8Array<ArrayBuffer>>;
};

/**
 * Returns the request that renders a page for many readers: with only these parameters of the
 * reader's URL, with a body even if the reader sent HEAD, and without Accept-Encoding, because the
 * cached page is compressed here.
 */
export function toSharedRequest(request: Request, search: string): Request {
  const url = new URL(request.url);
  url.search = search;
  const shared = new Request(url, { method: "GET", headers: request.headers });
  shared.headers.delete("accept-encoding");
  return shared;
}

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
  response.headers.set("Vary", varyHeader(response.headers.get("Content-Type")));
  response.headers.set("Content-Length", String(bodies[encoding].length));
  if (encoding !== "identity") response.headers.set("Content-Encoding", encoding);
  return response;
}

export const countBytes = ({ bodies }: CachedResponse) =>
  Object.values(bodies).reduce((sum, { length }) => sum + length, 0);
