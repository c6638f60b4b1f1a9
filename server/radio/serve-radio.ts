import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { streamPath, streamPort, titlePath } from "../../app/features/radio/feature.server.ts";
import { crossOriginHeaders } from "../../app/lib/http/cross-origin.server.ts";
import type { Limit } from "../../app/lib/http/limits.server.ts";
import type { Services } from "../../app/platform/services.ts";
import { noStore, requestIdHeader, safetyHeaders } from "../http/headers.ts";
import type { HandleStream, RequestInfo } from "../http/http.ts";
import { maxListenersPerVisitor } from "../site/config.ts";
import type { Radio } from "./radio.ts";

export const radioLimit = {
  what: "radio listeners",
  concurrent: { visitor: maxListenersPerVisitor },
  also: { all: "`RADIO_MAX_LISTENERS` at a time" },
  messages: {
    visitor:
      "Too many people are listening from your internet connection. Please try again in a little while.",
    all: "Our radio has no room for more listeners. Please try again in a little while.",
  },
} satisfies Limit;

const refusals = {
  full: { status: 503, message: radioLimit.messages.all, waitSeconds: 30 },
  "visitor-full": { status: 429, message: radioLimit.messages.visitor, waitSeconds: 30 },
  "off-air": {
    status: 503,
    message: "The station is off the air at the moment. Please try again soon.",
    waitSeconds: 5,
  },
};

const radioHeaders = {
  ...safetyHeaders,
  // The player on another city's site may play the stream, and so may a browser that opens the
  // stream's URL.
  ...crossOriginHeaders,
  "Content-Security-Policy": "default-src 'none'; media-src 'self'; frame-ancestors 'none'",
  "Cache-Control": noStore,
};

/**
 * Handles the requests of the radio directly on Node's response: a stream has no end, so no code in
 * between may buffer, compress or cache it. Returns false for every other path, and in a city
 * without a radio.
 */
export function serveRadio(radio: Radio, site: Pick<Services["site"], "hasPage">): HandleStream {
  return (request, response, info) => {
    const [path, query] = (request.url ?? "").split("?", 2);
    if ((path !== streamPath && path !== titlePath) || !site.hasPage("/radio")) return false;
    const respond = (status: number, text: string, headers: OutgoingHttpHeaders = {}) => {
      const body = text === "" ? "" : `${text}\n`;
      response.writeHead(status, {
        ...radioHeaders,
        "Content-Type": "text/plain; charset=utf-8",
        ...(body === "" ? {} : { "Content-Length": Buffer.byteLength(body) }),
        ...headers,
        [requestIdHeader]: info.id,
      });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    const refuse = (reason: keyof typeof refusals) => {
      const { status, message, waitSeconds } = refusals[reason];
      respond(status, message, { "Retry-After": waitSeconds });
    };
    if (request.method === "OPTIONS") {
      const allowed = { Allow: "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "Range" };
      respond(204, "", allowed);
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      respond(405, "This path only supports listening to the radio.", {
        Allow: "GET, HEAD, OPTIONS",
        Connection: "close",
      });
    } else if (path === titlePath) {
      respond(200, JSON.stringify({ title: radio.title }), { "Content-Type": "application/json" });
    } else if (new URLSearchParams(query).getAll("port").join() !== String(streamPort)) {
      respond(400, `The stream is only available at ${streamPath}?port=${streamPort}.`);
    } else if (request.method === "HEAD" && !radio.isOffAir) {
      respond(200, "", { "Content-Type": "audio/mpeg" });
    } else startStream(radio, response, info, refuse);
    return true;
  };
}

async function startStream(
  radio: Radio,
  response: ServerResponse,
  { id, ipAddress }: RequestInfo,
  refuse: (reason: keyof typeof refusals) => void,
): Promise<void> {
  const admission = await radio.admit(response, ipAddress);
  if (response.destroyed) return;
  if (admission.kind !== "on-air") return refuse(admission.kind);
  // The stream ends with its connection. Chunked encoding would cost two more writes per chunk.
  response.removeHeader("Transfer-Encoding");
  response.writeHead(200, {
    ...radioHeaders,
    "Content-Type": admission.mediaType,
    Connection: "close",
    "X-Accel-Buffering": "no",
    [requestIdHeader]: id,
  });
  radio.join(response);
}
