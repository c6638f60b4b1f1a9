import { type LookupAddress, lookup } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPublicIpAddress } from "../http/ip-addresses.server.ts";

/** Why nothing came of it, in words a status page can sort by. */
type FetchCause =
  | "bad-address"
  | "blocked-address"
  /** OFFLINE is set, so nobody was asked. */
  | "offline"
  | "dns"
  | "tls"
  | "timeout"
  | "too-large"
  | "connection"
  | "redirects";

export type FetchResult =
  | {
      kind: "response";
      status: number;
      /** Where the answer came from in the end. */
      url: string;
      /** Where the address lives now, if every step of the way was said to be for good. */
      movedTo?: string;
      headers: Headers;
      body: Uint8Array;
    }
  | { kind: "failed"; cause: FetchCause; detail: string };

type FetchOptions = {
  method?: "GET" | "HEAD";
  /** False where only the status counts: the connection is closed before the body arrives. */
  readsBody?: boolean;
  headers?: Record<string, string>;
  /** Of what comes out of the compression, not of what travels. */
  maxBytes?: number;
  timeoutMs?: number;
  idleMs?: number;
};

/** Asks an address that somebody else chose. It cannot be led to this machine or its neighbours. */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchResult>;

/** Who asks, unless the caller knows to say it better. */
const userAgent = "Harborline/1.0";
const defaults = {
  method: "GET",
  readsBody: true,
  maxBytes: 8 * 1024 * 1024,
  timeoutMs: 30_000,
  idleMs: 10_000,
};
const maxRedirects = 5;
const permanent = new Set([301, 308]);
const redirects = new Set([301, 302, 303, 307, 308]);

/** An expected failure on its way out of the callbacks. */
class Refused extends Error {
  override cause: FetchCause;
  constructor(cause: FetchCause, message: string) {
    super(message);
    this.cause = cause;
  }
}

/**
 * `allow` names addresses that may be asked although they are not public: "127.0.0.1:8080", or all
 * ports of "127.0.0.1". With `offline` nobody else is asked at all.
 */
export function createSafeFetch(allow: readonly string[] = [], offline = false): SafeFetch {
  const allowed = new Set(allow);
  const mayReach = (address: string, port: string) =>
    (!offline && isPublicIpAddress(address)) ||
    allowed.has(address) ||
    allowed.has(`${address}:${port}`);

  return async (address, options = {}) => {
    const { method, readsBody, maxBytes, timeoutMs, idleMs } = { ...defaults, ...options };
    const stopping = new AbortController();
    const { signal } = stopping;
    const giveUp = (detail: string) => stopping.abort(new Refused("timeout", detail));
    const overall = setTimeout(
      () => giveUp(`took more than ${timeoutMs / 1000} seconds`),
      timeoutMs,
    );
    let url = address;
    let movedTo: string | undefined;
    let forGood = true;
    try {
      for (let step = 0; step <= maxRedirects; step += 1) {
        const target = checkedUrl(url, mayReach, offline);
        // Not even its name is looked up.
        if (offline && !isIP(target.hostname)) throw new Refused("offline", offlineText);
        const answer = await ask(target, {
          method,
          lookup: publicLookup(mayReach, portOf(target)),
          signal,
          timeout: idleMs,
          onSilence: () => giveUp(`was silent for ${idleMs / 1000} seconds`),
          headers: { "User-Agent": userAgent, "Accept-Encoding": "gzip, br", ...options.headers },
        });
        const status = answer.statusCode ?? 0;
        const location = answer.headers.location;
        if (redirects.has(status) && location !== undefined) {
          answer.destroy();
          const next = URL.parse(location, target);
          if (!next) throw new Refused("redirects", "sent us to something that is no address");
          url = next.href;
          forGood &&= permanent.has(status);
          if (forGood) movedTo = url;
          continue;
        }
        const body = readsBody ? await read(answer, maxBytes, signal) : new Uint8Array();
        if (!readsBody) answer.destroy();
        const headers = headersOf(answer);
        return {
          kind: "response",
          status,
          url: target.href,
          headers,
          body,
          ...(movedTo ? { movedTo } : {}),
        };
      }
      return {
        kind: "failed",
        cause: "redirects",
        detail: `was sent on more than ${maxRedirects} times`,
      };
    } catch (error) {
      return { kind: "failed", ...explain(signal.aborted ? signal.reason : error) };
    } finally {
      clearTimeout(overall);
    }
  };
}

const portOf = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");

const offlineText = "this site asks nobody outside";

function checkedUrl(
  address: string,
  mayReach: (address: string, port: string) => boolean,
  offline: boolean,
): URL {
  // The URL parser also unmasks addresses such as http://2130706433/ and http://0x7f.1/.
  const url = URL.parse(address);
  if (!url) throw new Refused("bad-address", `${address} is not an address`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Refused("bad-address", `${url.protocol} is not http or https`);
  if (url.username || url.password)
    throw new Refused("bad-address", "names and passwords are not sent along");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = portOf(url);
  if (isIP(host) && !mayReach(host, port))
    throw offline && isPublicIpAddress(host)
      ? new Refused("offline", offlineText)
      : new Refused("blocked-address", `${host} is not public`);
  // Below 1024 live mail, files and remote shells, which can be confused by what looks like a web
  // request.
  if (Number(port) < 1024 && port !== "80" && port !== "443")
    throw new Refused("blocked-address", `port ${port} is not one of the web`);
  return url;
}

/**
 * Looks a name up and lets the connection be made only to what was checked: a name that changes its
 * mind gains nothing.
 */
function publicLookup(
  mayReach: (address: string, port: string) => boolean,
  port: string,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "");
      const addresses: LookupAddress[] = found.filter(({ address }) => mayReach(address, port));
      const [first] = addresses;
      if (!first)
        return callback(
          new Refused("blocked-address", `${hostname} is not on the public Internet`),
          "",
        );
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

type Asking = {
  method: string;
  lookup: LookupFunction;
  signal: AbortSignal;
  timeout: number;
  onSilence(): void;
  headers: Record<string, string>;
};

function ask(url: URL, { onSilence, ...asking }: Asking): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? secureRequest : plainRequest;
    const request = start(url, { ...asking, agent: false });
    request.on("timeout", onSilence);
    request.on("error", reject);
    request.on("response", resolve);
    request.end();
  });
}

async function read(
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const tooLarge = () =>
    new Refused("too-large", `is larger than ${Math.round(maxBytes / 1024)} KB`);
  try {
    if (Number(answer.headers["content-length"]) > maxBytes) throw tooLarge();
    const parts: Uint8Array[] = [];
    let size = 0;
    const collect = async (plain: AsyncIterable<Uint8Array>) => {
      for await (const part of plain) {
        size += part.length;
        if (size > maxBytes) throw tooLarge();
        parts.push(part);
      }
    };
    refuseTinyPieces(answer);
    await pipeline(answer, decoder(answer.headers["content-encoding"]), collect, { signal });
    return Buffer.concat(parts, size);
  } finally {
    answer.destroy();
  }
}

/**
 * Receiving a piece costs the same however small it is: a megabyte byte by byte kept the server's
 * thread busy for seconds.
 */
const freePieces = 1_000;
const minPieceBytes = 64;

function refuseTinyPieces(answer: IncomingMessage): void {
  let [count, size] = [0, 0];
  answer.on("data", (piece: Buffer) => {
    count += 1;
    size += piece.length;
    if (count > freePieces && size < count * minPieceBytes)
      answer.destroy(new Refused("connection", "sends its answer in too many small pieces"));
  });
}

function decoder(encoding: string | undefined): Transform {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return new PassThrough();
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return createInflate();
    // Some servers name the letters here instead of the packing; then nothing is packed.
    case "utf-8":
    case "utf8":
    case "none":
    case "binary":
      return new PassThrough();
    default:
      throw new Refused("connection", `is packed as ${encoding}, which we did not ask for`);
  }
}

function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

const dnsCodes = new Set(["ENOTFOUND", "EAI_AGAIN", "ENODATA", "EAI_FAIL", "ESERVFAIL"]);
const tlsCode = /CERT|TLS|SSL|EPROTO|UNABLE_TO_/;

function explain(error: unknown): { cause: FetchCause; detail: string } {
  if (error instanceof Refused) return { cause: error.cause, detail: error.message };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = code || (error instanceof Error ? error.message : String(error));
  if (dnsCodes.has(code)) return { cause: "dns", detail };
  if (code === "ETIMEDOUT") return { cause: "timeout", detail };
  if (tlsCode.test(code)) return { cause: "tls", detail };
  return { cause: "connection", detail };
}
