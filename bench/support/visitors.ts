import { request } from "node:http";

/**
 * Returns the IP addresses of the visitor with this number: one for the connection (all of
 * 127.0.0.0/8 is this machine) and one for the header of a trusted proxy. Both differ per visitor,
 * so that rate limits see different visitors whichever of the two they use.
 */
function visitorAddresses(number: number): {
  localAddress: string;
  headers: Record<string, string>;
} {
  const byte = (shift: number) => (number >> shift) & 127;
  return {
    localAddress: `127.${10 + byte(14)}.${byte(7)}.${1 + byte(0)}`,
    headers: { "x-forwarded-for": `81.${byte(14)}.${byte(7)}.${1 + byte(0)}` },
  };
}

type RequestOptions = {
  port: number;
  path: string;
  visitor: number;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

/**
 * Sends one request on a new connection. Returns the status, or 0 if the connection ended without a
 * response.
 */
export function sendRequest({
  port,
  path,
  visitor,
  method = "GET",
  headers = {},
  body,
}: RequestOptions): Promise<number> {
  const { localAddress, headers: forwarded } = visitorAddresses(visitor);
  return new Promise((resolve) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        localAddress,
        agent: false,
        headers: { ...headers, ...forwarded },
      },
      (response) => {
        response.resume();
        response.on("close", () => resolve(response.statusCode ?? 0));
      },
    );
    // The server may refuse the request while the body is still being sent. In that case the
    // response counts, not the broken pipe.
    outgoing.on("error", () => setTimeout(resolve, 100, 0));
    if (body !== undefined) outgoing.setHeader("content-length", Buffer.byteLength(body));
    outgoing.end(body);
  });
}
