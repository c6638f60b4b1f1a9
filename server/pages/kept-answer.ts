import { acceptedEncoding } from "../http/accepted-encoding.ts";
import { type Encoding, finishPage } from "./page-cache.ts";

/** An answer that goes out many times: its headers, and its body in every encoding. */
export type KeptAnswer = {
  status: number;
  headers: [string, string][];
  bodies: Record<Encoding, Uint8Array<ArrayBuffer>>;
};

/** Compresses an answer once. The answer itself is used up. */
export async function keepAnswer(response: Response): Promise<KeptAnswer> {
  const { status, headers } = response;
  const { forms } = await finishPage(status, headers, Buffer.from(await response.arrayBuffer()));
  const bytesOf = (encoding: Encoding) => new Uint8Array(forms[encoding].body);
  const bodies = { identity: bytesOf("identity"), gzip: bytesOf("gzip"), br: bytesOf("br") };
  return { status, headers: [...headers], bodies };
}

export function sendKept(
  { status, headers, bodies }: KeptAnswer,
  acceptEncoding: string,
): Response {
  const encoding = acceptedEncoding(acceptEncoding);
  const response = new Response(bodies[encoding], { status, headers });
  response.headers.set("Vary", "Accept-Encoding");
  response.headers.set("Content-Length", String(bodies[encoding].length));
  if (encoding !== "identity") response.headers.set("Content-Encoding", encoding);
  return response;
}

export const sizeOfKept = ({ bodies }: KeptAnswer) =>
  Object.values(bodies).reduce((sum, { length }) => sum + length, 0);
