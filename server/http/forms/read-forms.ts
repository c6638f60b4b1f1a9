import type { MiddlewareHandler } from "hono";
import pLimit, { type LimitFunction } from "p-limit";
import { maxTextBytes, type PostedForm } from "../../../app/lib/form.ts";
import { createConcurrencyLimit, toVisitor } from "../../../app/lib/http/limits.server.ts";
import { createPieceCheck } from "../../../app/lib/http/tiny-pieces.server.ts";
import { backButtonHint, fileFormLimit, formLimit, formMemory, processing } from "../limits.ts";
import type { RequestEnv } from "../request-env.ts";
import { createIncomingBodies } from "./incoming-bodies.ts";
import { parseBoundary, parseForm } from "./parse-form.ts";

/**
 * A form with files that is too large is read up to this limit and discarded, because a browser
 * that is still sending ignores the response.
 */
const maxReadBytes = 128 * 1024 * 1024;
const uncheckedPieces = 256;

const incomingBodies = createIncomingBodies({ bytes: formMemory, bodies: formLimit.concurrent });
const uploads = createConcurrencyLimit(fileFormLimit.concurrent);
const processingSlots = pLimit(processing.maxForms);

/** Call `end` when the form is no longer needed. `form` is null if the body is not a form. */
type ReceivedForm = { kind: PostedForm["kind"]; form: FormData | null; end(): void };

type RefusedBody = { kind: "refused"; status: 400 | 413 | 429 | 503; message: string };

type ReceiveOptions = {
  /** Whether the form may contain files. Only what is before them remains if they are too large. */
  acceptsFiles: boolean;
  maxBytes: number;
  ipAddress: string;
};

function refusedBody(status: RefusedBody["status"], message: string): RefusedBody {
  return { kind: "refused", status, message };
}
const tooLarge = refusedBody(413, "This is larger than our forms allow.");
const tooManyFields = refusedBody(413, "This has more fields than our forms have.");
const tooManyPieces = refusedBody(400, "The form arrived in too many small pieces.");
const incomplete = refusedBody(400, "The form did not arrive completely. Please send it again.");
const tooManyOfVisitor = refusedBody(429, formLimit.messages.visitor);
const tooManyOfAll = refusedBody(503, formLimit.messages.all);

/** Refuses forms that a page of another site sent, unless the page accepts them. */
export const refuseCrossSiteForms: MiddlewareHandler<RequestEnv> = async (c, next) => {
  // React Router checks the origin again, and accepts a form without one.
  if (c.env.route?.formFromAnySite) c.req.raw.headers.delete("origin");
  const origin = c.req.header("origin");
  const isFromOtherSite =
    !c.env.route?.formFromAnySite && c.req.header("sec-fetch-site") === "cross-site";
  if (isFromOtherSite || (origin !== undefined && origin !== c.env.url.origin))
    return c.text(
      `This form was sent from another site, so we did not accept it.${backButtonHint(c.req.path)}\n`,
      403,
    );
  return next();
};

/**
 * Reads a form before React Router does, within the limits of its page. React Router gets a request
 * without a body, and an action gets the form from `readForm()` of the context.
 */
export const readForms: MiddlewareHandler<RequestEnv> = async (c, next) => {
  const { acceptsFiles = false, formBytes = maxTextBytes } = c.env.route ?? {};
  const { url, headers, signal } = c.req.raw;
  const received = await readFormBody(c.req.raw, {
    acceptsFiles,
    maxBytes: formBytes,
    ipAddress: c.env.ipAddress,
  });
  if (received.kind === "refused") {
    const { status, message } = received;
    return c.text(`${message}${backButtonHint(c.req.path)}\n`, status, {
      // The rest of the body is not read, so the connection cannot be reused.
      Connection: "close",
      ...(status === 429 || status === 503 ? { "Retry-After": "60" } : {}),
    });
  }
  try {
    c.env.posted = received;
    c.req.raw = new Request(url, { method: "POST", headers, signal });
    return await next();
  } finally {
    received.end();
  }
};

/**
 * Reads a form within the limits for memory, size and fields. A small form never waits for one with
 * large files.
 */
export async function readFormBody(
  request: Request,
  { acceptsFiles, maxBytes, ipAddress }: ReceiveOptions,
): Promise<ReceivedForm | RefusedBody> {
  const type = request.headers.get("content-type") ?? "";
  const boundary = acceptsFiles ? parseBoundary(type) : null;
  const body = await (boundary === null
    ? receiveTexts(request, maxBytes, ipAddress)
    : receiveFiles(request, boundary, maxBytes, ipAddress));
  if (body.kind === "refused") return body;
  const { kind, bytes, end } = body;
  const form = parseForm(bytes, type);
  if (form !== "too-many-fields") return { kind, form, end };
  end();
  return tooManyFields;
}

/** Receives a form without files, as a whole or not at all. */
async function receiveTexts(request: Request, maxBytes: number, ipAddress: string) {
  const maxHeldBytes = Math.min(maxBytes, maxTextBytes);
  const body = await receiveBody(request, ipAddress, maxBytes, maxHeldBytes, 0);
  if (body.kind === "whole" || body.kind === "refused") return body;
  body.end();
  return body.kind === "busy" ? tooManyOfAll : tooLarge;
}

/**
 * Receives a form with files. If the files cannot be received, it has only the fields at its
 * beginning. It takes a slot for processing only when it has arrived completely, so nothing waits
 * for a slow sender.
 */
async function receiveFiles(
  request: Request,
  boundary: string,
  maxBytes: number,
  ipAddress: string,
): Promise<ReceivedBody | RefusedBody> {
  // Without a Content-Length, the files may be large.
  const declaredBytes = Number(request.headers.get("content-length") ?? maxBytes);
  const needsUpload = declaredBytes > maxTextBytes && declaredBytes <= maxBytes;
  const releaseUpload = needsUpload ? uploads.takeSlot(ipAddress) : null;
  const maxHeldBytes = releaseUpload ? maxBytes : maxTextBytes;
  const body = await receiveBody(request, ipAddress, maxReadBytes, maxHeldBytes, maxTextBytes);
  if (body.kind === "refused") {
    releaseUpload?.();
    return body;
  }
  const needsProcessing = body.kind === "whole" && body.bytes.length > maxTextBytes;
  const releaseProcessing = needsProcessing ? await waitForProcessing(ipAddress) : null;
  const lacksUpload = body.kind === "too-large" && needsUpload && !releaseUpload;
  const kind = lacksUpload || (needsProcessing && !releaseProcessing) ? "busy" : body.kind;
  const end = () => {
    releaseProcessing?.();
    releaseUpload?.();
    body.end();
  };
  return { kind, bytes: kind === "whole" ? body.bytes : cutAfterLastPart(body, boundary), end };
}

/** Ends a form after the last field that is complete in its first bytes. */
function cutAfterLastPart({ bytes }: ReceivedBody, boundary: string): Buffer<ArrayBuffer> {
  const texts = bytes.subarray(0, maxTextBytes);
  const end = texts.lastIndexOf(`\r\n--${boundary}\r\n`);
  if (end === -1) return Buffer.from(`--${boundary}--\r\n`);
  return Buffer.concat([texts.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Forms of one visitor are processed one after the other, so that none takes all slots. */
const visitorQueues = new Map<string, LimitFunction>();

/**
 * Waits for a slot for processing. Returns a function that releases it, or null if none became free
 * in time.
 */
function waitForProcessing(ipAddress: string): Promise<(() => void) | null> {
  const { visitor } = toVisitor(ipAddress);
  const queue = visitorQueues.get(visitor) ?? pLimit(1);
  visitorQueues.set(visitor, queue);
  const slot = Promise.withResolvers<(() => void) | null>();
  const processed = Promise.withResolvers<void>();
  // After this, the slot is released as soon as it is the turn of this form.
  const giveUp = () => {
    slot.resolve(null);
    processed.resolve();
  };
  const timer = setTimeout(giveUp, processing.maxWaitMs);
  const holdSlot = () => {
    clearTimeout(timer);
    slot.resolve(processed.resolve);
    return processed.promise;
  };
  queue(() => processingSlots(holdSlot)).finally(() => {
    if (queue.activeCount + queue.pendingCount === 0) visitorQueues.delete(visitor);
  });
  return slot.promise;
}

/** A body that was read to its end. Unless it is "whole", `bytes` contains only its beginning. */
type ReceivedBody = { kind: PostedForm["kind"]; bytes: Buffer<ArrayBuffer>; end(): void };

/**
 * Reads a body of up to `maxBytes` to its end, and holds the first `maxHeldBytes` in memory. If other
 * bodies need its memory, it is dropped: only `bytesAfterDrop` stay, the fields before the files, and
 * the rest is read but not held.
 */
async function receiveBody(
  request: Request,
  ipAddress: string,
  maxBytes: number,
  maxHeldBytes: number,
  bytesAfterDrop: number,
): Promise<ReceivedBody | RefusedBody> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge;
  const chunks: Uint8Array[] = [];
  const isTooSmall = createPieceCheck(uncheckedPieces);
  let [readBytes, heldBytes, isDropped] = [0, 0, false];
  const drop = () => {
    isDropped = true;
    while (heldBytes > bytesAfterDrop) {
      const freedBytes = chunks.pop()?.length ?? 0;
      heldBytes -= freedBytes;
      if (typeof incoming !== "string") incoming.release(freedBytes);
    }
  };
  const incoming = incomingBodies.begin(ipAddress, drop);
  if (incoming === "too-many-of-visitor") return tooManyOfVisitor;
  if (incoming === "too-many-of-all") return tooManyOfAll;
  let result: ReceivedBody | null = null;
  try {
    for await (const chunk of request.body ?? []) {
      readBytes += chunk.length;
      if (readBytes > maxBytes) return tooLarge;
      if (isTooSmall(chunk.length)) return tooManyPieces;
      const piece = chunk.subarray(0, isDropped ? 0 : maxHeldBytes - heldBytes);
      if (piece.length === 0) continue;
      if (incoming.add(piece.length)) {
        heldBytes += piece.length;
        chunks.push(piece);
      } else drop();
    }
    incoming.complete();
    const kind = heldBytes === readBytes ? "whole" : isDropped ? "busy" : "too-large";
    result = { kind, bytes: Buffer.concat(chunks), end: incoming.end };
    return result;
  } catch {
    // The sender closed the connection, or sent something that is not HTTP.
    return incomplete;
  } finally {
    if (result === null) incoming.end();
  }
}
