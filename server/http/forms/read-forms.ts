import type { MiddlewareHandler } from "hono";
import pLimit, { type LimitFunction } from "p-limit";
import { maxTextBytes } from "../../../app/lib/form.ts";
import { createPieceCheck } from "../../../app/lib/http/tiny-pieces.server.ts";
import { createConcurrencyLimit, toVisitor } from "../../../app/lib/http/visitors.server.ts";
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

/** Call `end` when the form is no longer needed. */
type ReceivedForm = NonNullable<RequestEnv["Bindings"]["posted"]> & { end(): void };

type RefusedForm = { kind: "refused"; status: 400 | 413 | 429 | 503; message: string };

type ReceiveOptions = {
  /** Whether the form may contain files. Only what is before them remains if they are too large. */
  acceptsFiles: boolean;
  maxBytes: number;
  address: string;
};

function refusedForm(status: RefusedForm["status"], message: string): RefusedForm {
  return { kind: "refused", status, message };
}
const tooLarge = refusedForm(413, "This is larger than our forms allow.");
const tooManyFields = refusedForm(413, "This has more fields than our forms have.");
const tooManyPieces = refusedForm(400, "The form arrived in too many small pieces.");
const incomplete = refusedForm(400, "The form did not arrive completely. Please send it again.");
const tooManyOfVisitor = refusedForm(429, formLimit.messages.visitor);
const tooManyBodies = refusedForm(503, formLimit.messages.all);

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
    address: c.env.ipAddress,
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
 * large files. A form takes a slot for processing only when it has arrived completely, so nothing
 * waits for a slow sender. If the files cannot be received, the form has only the fields at its
 * beginning.
 */
export async function readFormBody(
  request: Request,
  { acceptsFiles, maxBytes, address }: ReceiveOptions,
): Promise<ReceivedForm | RefusedForm> {
  const type = request.headers.get("content-type") ?? "";
  const boundary = acceptsFiles ? parseBoundary(type) : null;
  // Without a Content-Length, the files may be large.
  const declaredBytes = Number(request.headers.get("content-length") ?? maxBytes);
  const isUpload = boundary !== null && declaredBytes > maxTextBytes && declaredBytes <= maxBytes;
  const releaseUpload = isUpload ? uploads.takeSlot(address) : null;
  const room = releaseUpload ? maxBytes : Math.min(maxBytes, maxTextBytes);
  const body = await receiveBody(request, room, acceptsFiles ? maxReadBytes : maxBytes, address);
  if (body.kind === "refused") {
    releaseUpload?.();
    return body;
  }
  const needsSlot = body.kind === "whole" && body.bytes.length > maxTextBytes;
  const releaseSlot = needsSlot ? await waitForSlot(address) : null;
  const lacksRoom = body.kind === "too-large" && isUpload && !releaseUpload;
  const isBusy = lacksRoom || (needsSlot && !releaseSlot);
  const kind = isBusy || body.kind === "no-memory" ? "busy" : body.kind;
  const end = () => {
    releaseSlot?.();
    releaseUpload?.();
    body.end();
  };
  const isCut = kind !== "whole" && boundary !== null;
  const form = parseForm(isCut ? cutAfterLastPart(body.bytes, boundary) : body.bytes, type);
  if (form !== "too-many-fields" && (kind === "whole" || isCut)) return { kind, form, end };
  end();
  if (form === "too-many-fields") return tooManyFields;
  return kind === "busy" ? tooManyBodies : tooLarge;
}

/** Ends a form after the last field that is complete in its first bytes. */
function cutAfterLastPart(bytes: Buffer, boundary: string): Buffer<ArrayBuffer> {
  const texts = bytes.subarray(0, maxTextBytes);
  const end = texts.lastIndexOf(`\r\n--${boundary}\r\n`);
  if (end === -1) return Buffer.from(`--${boundary}--\r\n`);
  return Buffer.concat([texts.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Forms of one visitor are processed one after the other, so that none takes all slots. */
const visitorQueues = new Map<string, LimitFunction>();

/** Waits for a slot. Returns a function that releases it, or null if none became free in time. */
function waitForSlot(address: string): Promise<(() => void) | null> {
  const { visitor } = toVisitor(address);
  const queue = visitorQueues.get(visitor) ?? pLimit(1);
  visitorQueues.set(visitor, queue);
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve(null);
    }, processing.maxWaitMs);
    const process = async () => {
      clearTimeout(timer);
      if (!isLate) await new Promise<void>((release) => resolve(release));
    };
    queue(() => (isLate ? undefined : processingSlots(process))).finally(() => {
      if (queue.pendingCount === 0) visitorQueues.delete(visitor);
    });
  });
}

/**
 * A body that was read to its end. If the kind is not "whole", `bytes` contains only the beginning.
 */
type ReceivedBody = {
  kind: "whole" | "too-large" | "no-memory";
  bytes: Buffer<ArrayBuffer>;
  end(): void;
};

/**
 * Reads a body of up to `maxRead` bytes, of which it holds the first `room` bytes in memory. If a
 * body has to free memory for others, its first bytes stay in memory, because they contain the fields
 * before the files.
 */
async function receiveBody(
  request: Request,
  room: number,
  maxRead: number,
  address: string,
): Promise<ReceivedBody | RefusedForm> {
  if (Number(request.headers.get("content-length") ?? 0) > maxRead) return tooLarge;
  const chunks: Uint8Array[] = [];
  const isTooSmall = createPieceCheck(uncheckedPieces);
  let [readBytes, heldBytes, maxHeldBytes] = [0, 0, room];
  let hasMemory = true;
  /** Frees all but the first bytes, so that other bodies have memory. */
  const freeMemory = () => {
    while (heldBytes > maxTextBytes) {
      const freedBytes = chunks.pop()?.length ?? 0;
      heldBytes -= freedBytes;
      incoming?.release(freedBytes);
    }
    maxHeldBytes = heldBytes;
    hasMemory = false;
  };
  if (!incomingBodies.hasRoomFor(address)) return tooManyOfVisitor;
  const incoming = incomingBodies.begin(address, freeMemory);
  if (!incoming) return tooManyBodies;
  let result: ReceivedBody | null = null;
  try {
    for await (const chunk of request.body ?? []) {
      readBytes += chunk.length;
      if (readBytes > maxRead) return tooLarge;
      if (isTooSmall(chunk.length)) return tooManyPieces;
      const piece = chunk.subarray(0, maxHeldBytes - heldBytes);
      if (incoming.add(piece.length)) {
        heldBytes += piece.length;
        if (piece.length > 0) chunks.push(piece);
      } else freeMemory();
    }
    incoming.complete();
    const kind = heldBytes === readBytes ? "whole" : hasMemory ? "too-large" : "no-memory";
    result = { kind, bytes: Buffer.concat(chunks), end: incoming.end };
    return result;
  } catch {
    // The sender closed the connection, or sent something that is not HTTP.
    return incomplete;
  } finally {
    if (result === null) incoming.end();
  }
}
