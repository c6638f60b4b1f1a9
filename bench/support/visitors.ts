import { request } from "node:http";

/**
 * A visitor of this number: an address of its own on the wire (all of 127.0.0.0/8 is this machine)
 * and another one in the header of a trusted proxy, so that a limit per visitor sees a different
 * one whichever it looks at.
 */
export function visitor(number: number): { localAddress: string; headers: Record<string, string> } {
  const byte = (shift: number) => (number >> shift) & 127;
  return {
    localAddress: `127.${10 + byte(14)}.${byte(7)}.${1 + byte(0)}`,
    headers: { "x-forwarded-for": `81.${byte(14)}.${byte(7)}.${1 + byte(0)}` },
  };
}

type Asking = {
  port: number;
  path: string;
  from: number;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

/**
 * Asks once, on a connection of its own. Gives the status, or 0 when the connection ended without
 * an answer.
 */
export function ask({
  port,
  path,
  from,
  method = "GET",
  headers = {},
  body,
}: Asking): Promise<number> {
  const { localAddress, headers: forwarded } = visitor(from);
  return new Promise((resolve) => {
    const asking = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        localAddress,
        agent: false,
        headers: { ...headers, ...forwarded },
      },
      (answer) => {
        answer.resume();
        answer.on("close", () => resolve(answer.statusCode ?? 0));
      },
    );
    // A refusal may come while the body is still on its way: then the answer counts, not the broken
    // pipe.
    asking.on("error", () => setTimeout(resolve, 100, 0));
    if (body !== undefined) asking.setHeader("content-length", Buffer.byteLength(body));
    asking.end(body);
  });
}
