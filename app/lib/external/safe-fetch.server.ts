import { type LookupAddress, lookup } from "node:dns";
import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPublicIpAddress } from "../http/ip-addresses.server.ts";
import { createPieceCheck } from "../http/tiny-pieces.server.ts";

/** Why a request failed. The status page shows the cause. */
type FetchCause =
  | "bad-address"
  | "blocked-address"
  /** OFFLINE is set, so no request was sent. */
  | "offline"
  | "dns"
  | "tls"
  | "timeout"
  | "too-large"
  | "encoding"
  | "connection"
  | "redirects";

export type FetchResult =
  | {
      kind: "response";
      status: number;
      /** The final URL, after all redirects. */
      url: string;
      /** The new URL, if every redirect was permanent. */
      movedTo?: string | undefined;
      headers: Headers;
      body: Uint8Array;
    }
  | { kind: "failed"; cause: FetchCause; detail: string };

type FetchOptions = {
  method?: "GET" | "HEAD";
  /** False if only the status matters. The connection is then closed before the body arrives. */
  readsBody?: boolean;
  headers?: Record<string, string>;
  /** The maximum size of the body after decompression. */
  maxBytes?: number;
  /** The timeout for the whole request, including redirects. */
  timeoutMs?: number;
  /** How long the connection may be silent. */
  idleMs?: number;
};

/** Fetches an external URL. It refuses to connect to this machine or its local network. */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchResult>;

type MayReach = (address: string, port: string) => boolean;

const userAgent = "Harborline/1.0";
const defaults = {
  method: "GET",
  readsBody: true,
  maxBytes: 8 * 1024 * 1024,
  timeoutMs: 30_000,
  idleMs: 10_000,
};
const maxRedirects = 5;
const permanentRedirects = new Set([301, 308]);
const redirects = new Set([301, 302, 303, 307, 308]);

/** An expected failure, such as a timeout. It is thrown, because it can occur in a callback. */
class RefusedRequest extends Error {
  override cause: FetchCause;
  constructor(cause: FetchCause, message: string) {
    super(message);
    this.cause = cause;
  }
}

/**
 * `allow` lists IP addresses that may be contacted although they are not public: "127.0.0.1:8080",
 * or "127.0.0.1" for all ports. No source can redirect to them, except to its own. With `offline`,
 * no other addresses are contacted.
 */
export function createSafeFetch(allow: readonly string[] = [], offline = false): SafeFetch {
  const allowed = new Set(allow);
  const findEntry = (address: string, port: string) =>
    [address, `${address}:${port}`].find((entry) => allowed.has(entry));
  const isPublic = (address: string) => !offline && isPublicIpAddress(address);

  return async (address, options = {}) => {
    const { method, readsBody, maxBytes, timeoutMs, idleMs } = { ...defaults, ...options };
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (detail: string) => controller.abort(new RefusedRequest("timeout", detail));
    const timer = setTimeout(() => abort(`took more than ${timeoutMs / 1000} seconds`), timeoutMs);
    let url = address;
    let movedTo: string | undefined;
    let isPermanent = true;
    let mayReach: MayReach = (address, port) =>
      isPublic(address) || findEntry(address, port) !== undefined;
    try {
      for (let step = 0; step <= maxRedirects; step += 1) {
        const target = parseAllowedUrl(url, mayReach, offline);
        // If the site is offline, not even the host name is looked up.
        if (offline && !isIP(target.hostname)) throw new RefusedRequest("offline", offlineText);
        const response = await sendRequest(target, {
          method,
          lookup: createAllowedLookup(mayReach, getPort(target)),
          signal,
          timeout: idleMs,
          onSilence: () => abort(`was silent for ${idleMs / 1000} seconds`),
          headers: { "User-Agent": userAgent, "Accept-Encoding": "gzip, br", ...options.headers },
        });
        const status = response.statusCode ?? 0;
        const location = response.headers.location;
        if (redirects.has(status) && location !== undefined) {
          const ownEntry = findEntry(response.socket.remoteAddress ?? "", getPort(target));
          mayReach = (address, port) =>
            isPublic(address) || (ownEntry !== undefined && findEntry(address, port) === ownEntry);
          response.destroy();
          const next = URL.parse(location, target);
          if (!next)
            throw new RefusedRequest("redirects", "redirected to something that is not a URL");
          url = next.href;
          isPermanent &&= permanentRedirects.has(status);
          if (isPermanent) movedTo = url;
          continue;
        }
        const body = readsBody ? await readBody(response, maxBytes, signal) : new Uint8Array();
        if (!readsBody) response.destroy();
        const headers = toHeaders(response);
        return { kind: "response", status, url: target.href, movedTo, headers, body };
      }
      throw new RefusedRequest("redirects", `redirected more than ${maxRedirects} times`);
    } catch (error) {
      return { kind: "failed", ...toFailure(signal.aborted ? signal.reason : error) };
    } finally {
      clearTimeout(timer);
    }
  };
}

const getPort = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");

const offlineText = "this site makes no external requests";

function parseAllowedUrl(address: string, mayReach: MayReach, offline: boolean): URL {
  // The URL parser also normalizes IP addresses such as http://2130706433/ and http://0x7f.1/.
  const url = URL.parse(address);
  if (!url) throw new RefusedRequest("bad-address", `${address} is not a URL`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new RefusedRequest("bad-address", `${url.protocol} is not http or https`);
  if (url.username || url.password)
    throw new RefusedRequest("bad-address", "URLs with a user name or password are not fetched");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = getPort(url);
  if (isIP(host) && !mayReach(host, port))
    throw offline && isPublicIpAddress(host)
      ? new RefusedRequest("offline", offlineText)
      : new RefusedRequest("blocked-address", `${host} is not public`);
  // Ports below 1024 belong to mail, file and shell servers, which a web request could confuse.
  if (Number(port) < 1024 && port !== "80" && port !== "443")
    throw new RefusedRequest("blocked-address", `port ${port} is not a web port`);
  return url;
}

/**
 * Creates a lookup that returns only allowed IP addresses. The request connects to the addresses
 * that were checked, so a DNS record that changes after the check cannot lead elsewhere.
 */
function createAllowedLookup(mayReach: MayReach, port: string): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, resolved) => {
      if (error) return callback(error, "");
      const addresses: LookupAddress[] = resolved.filter(({ address }) => mayReach(address, port));
      const [first] = addresses;
      if (!first)
        return callback(
          new RefusedRequest("blocked-address", `${hostname} is not on the public Internet`),
          "",
        );
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function sendRequest(
  url: URL,
  { onSilence, ...options }: RequestOptions & { onSilence(): void },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? secureRequest : plainRequest;
    const request = start(url, { ...options, agent: false });
    request.on("timeout", onSilence);
    request.on("error", reject);
    request.on("response", resolve);
    request.end();
  });
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal) {
  const tooLarge = () =>
    new RefusedRequest("too-large", `is larger than ${Math.round(maxBytes / 1024)} KB`);
  try {
    if (Number(response.headers["content-length"]) > maxBytes) throw tooLarge();
    const parts: Uint8Array[] = [];
    let size = 0;
    const collect = async (plain: AsyncIterable<Uint8Array>) => {
      for await (const part of plain) {
        size += part.length;
        if (size > maxBytes) throw tooLarge();
        parts.push(part);
      }
    };
    refuseTinyPieces(response);
    await pipeline(response, createDecoder(response.headers["content-encoding"]), collect, {
      signal,
    });
    return Buffer.concat(parts, size);
  } finally {
    response.destroy();
  }
}

const uncheckedPieces = 1_000;

function refuseTinyPieces(response: IncomingMessage): void {
  const isTooSmall = createPieceCheck(uncheckedPieces);
  response.on("data", (piece: Buffer) => {
    if (isTooSmall(piece.length))
      response.destroy(
        new RefusedRequest("connection", "sends its response in too many small pieces"),
      );
  });
}

function createDecoder(encoding: string | undefined): Transform {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
    // Some servers send a charset here. In that case, the body is not compressed.
    case "utf-8":
    case "utf8":
    case "none":
    case "binary":
      return new PassThrough();
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return createInflate();
    default:
      throw new RefusedRequest("encoding", `is encoded as ${encoding}, which we did not request`);
  }
}

function toHeaders(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
}

const dnsCodes = new Set(["ENOTFOUND", "EAI_AGAIN", "ENODATA", "EAI_FAIL", "ESERVFAIL"]);
const tlsCode = /CERT|TLS|SSL|EPROTO|UNABLE_TO_/;

function toFailure(error: unknown): { cause: FetchCause; detail: string } {
  if (error instanceof RefusedRequest) return { cause: error.cause, detail: error.message };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = code || (error instanceof Error ? error.message : String(error));
  if (dnsCodes.has(code)) return { cause: "dns", detail };
  if (code === "ETIMEDOUT") return { cause: "timeout", detail };
  if (code === "HPE_HEADER_OVERFLOW") return { cause: "too-large", detail };
  if (tlsCode.test(code)) return { cause: "tls", detail };
  return { cause: "connection", detail };
}
