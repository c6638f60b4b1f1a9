import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { streamPath, streamPort, titlePath } from "../../app/features/radio/feature.server.ts";
import { noStore } from "../http/freshness.ts";
import { forwardedForHeader, requestIdHeader } from "../http/headers.ts";
import { clientIpAddress } from "../http/public-origin.ts";
import { safetyHeaders } from "../http/security-headers.ts";
import type { Proxies } from "../site/proxies.ts";
import type { Radio } from "./radio.ts";

/** When a player that was turned away may ask again. */
const retryAfterSeconds = { full: 30, "visitor-full": 30, "off-air": 5 };

const visitorFull =
  "Too many are listening from your internet connection. Please try again in a little while.";

const open = {
  ...safetyHeaders,
  // A sister site's player may listen, and so may a browser that opens the stream by its address.
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Content-Security-Policy": "default-src 'none'; media-src 'self'; frame-ancestors 'none'",
  "Cache-Control": noStore,
};

/**
 * Answers what has to do with the radio, on Node's own response: a stream has no end, so nothing
 * that waits for the end of an answer, compresses it or keeps it may come between. False for every
 * other address.
 */
export function serveRadio(radio: Radio, proxies: Proxies) {
  return (request: IncomingMessage, response: ServerResponse, id: string): boolean => {
    const [path, query] = (request.url ?? "").split("?", 2);
    if (path !== streamPath && path !== titlePath) return false;
    const forwardedFor = String(request.headers[forwardedForHeader] ?? "");
    const connected = request.socket.remoteAddress ?? "";
    const address = clientIpAddress(forwardedFor, connected, proxies.include(connected));
    const say = (status: number, sentence: string, headers: OutgoingHttpHeaders = {}) => {
      const body = sentence === "" ? "" : `${sentence}\n`;
      response.writeHead(status, {
        ...open,
        "Content-Type": "text/plain; charset=utf-8",
        ...(body === "" ? {} : { "Content-Length": Buffer.byteLength(body) }),
        ...headers,
        [requestIdHeader]: id,
      });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    if (request.method === "OPTIONS") {
      const allowed = { Allow: "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "Range" };
      say(204, "", allowed);
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      say(405, "The radio is there to be listened to.", {
        Allow: "GET, HEAD, OPTIONS",
        Connection: "close",
      });
    } else if (path === titlePath) {
      say(200, JSON.stringify({ title: radio.title }), { "Content-Type": "application/json" });
    } else if (new URLSearchParams(query).getAll("port").join() !== String(streamPort)) {
      say(400, `The stream is at ${streamPath}?port=${streamPort} and at no other port.`);
    } else if (request.method === "HEAD" && !radio.hasRoomFor(address)) {
      // The player asks for the reason when the stream does not begin.
      say(429, visitorFull, { "Retry-After": retryAfterSeconds["visitor-full"] });
    } else if (request.method === "HEAD" && !radio.isOffAir) {
      say(200, "", { "Content-Type": "audio/mpeg" });
    } else stream(radio, response, { id, address }, say);
    return true;
  };
}

async function stream(
  radio: Radio,
  response: ServerResponse,
  { id, address }: { id: string; address: string },
  say: (status: number, sentence: string, headers: OutgoingHttpHeaders) => void,
): Promise<void> {
  const admission = await radio.admit(response, address);
  if (response.destroyed) return;
  switch (admission.kind) {
    case "full":
      say(503, "As many are listening as we have room for. Please try again in a little while.", {
        "Retry-After": retryAfterSeconds.full,
      });
      return;
    case "visitor-full":
      say(429, visitorFull, { "Retry-After": retryAfterSeconds["visitor-full"] });
      return;
    case "off-air":
      say(503, "The station is off the air at the moment. Please try again soon.", {
        "Retry-After": retryAfterSeconds["off-air"],
      });
      return;
    case "on-air":
      // Ends when the connection does. Counted chunks would cost two more writes each time.
      response.removeHeader("Transfer-Encoding");
      response.writeHead(200, {
        ...open,
        "Content-Type": admission.mediaType,
        Connection: "close",
        "X-Accel-Buffering": "no",
        [requestIdHeader]: id,
      });
      radio.join(response);
  }
}
