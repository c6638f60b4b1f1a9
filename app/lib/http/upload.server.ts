import { data } from "react-router";
import { maxTextBytes, parseBoundary, receiveBody } from "./form-body.server.ts";
import { readMultipart } from "./multipart.server.ts";
import { createConcurrencyLimit } from "./visitors.server.ts";

/**
 * The number of forms whose files are processed at the same time. Processing takes several times
 * the memory of the files.
 */
const maxConcurrentForms = 2;
const maxWaitMs = 20_000;
/** The number of forms with files that one visitor may send at the same time. */
const maxUploadsPerVisitor = 2;
/**
 * The server reads a form that is too large up to this limit and discards it, because a browser
 * that is still sending ignores the response.
 */
const maxReadBytes = 128 * 1024 * 1024;

/**
 * Call `done` when the files are no longer needed. If the kind is not "whole", the form has no
 * files, only the text fields before them.
 */
type Upload = { kind: "whole" | "too-large" | "busy"; form: FormData; done(): void };

const uploads = createConcurrencyLimit(maxUploadsPerVisitor);
/**
 * The server processes one form at a time per visitor, so that a form never waits for more than one
 * form of another visitor.
 */
const processing = createConcurrencyLimit(1);

/**
 * Reads a form that may contain files. A form without files never waits for a form with files.
 * Nothing waits for a body that is still arriving: a form takes a slot for processing only when it
 * has arrived completely.
 */
export async function receiveUpload(
  request: Request,
  maxBytes: number,
  address: string,
): Promise<Upload> {
  const type = request.headers.get("content-type") ?? "";
  const boundary = parseBoundary(type);
  const declared = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  const isText = boundary === null || declared <= maxTextBytes;
  const fits = !isText && declared <= maxBytes;
  const releaseUpload = fits ? uploads.take(address) : null;
  const room = releaseUpload ? maxBytes : maxTextBytes;
  const body = await receiveBody(request, { type, room, maxReadBytes, address });
  if (body.kind === "refused") {
    releaseUpload?.();
    const { status, statusText, sentence } = body;
    throw data(sentence, { status, statusText });
  }
  let release: (() => void) | null = null;
  const done = () => {
    release?.();
    releaseUpload?.();
    body.end();
  };
  try {
    const hasFiles = body.bytes.length > maxTextBytes;
    if (body.kind === "whole" && hasFiles) release = await waitForSlot(address);
    if (body.kind === "whole" && (release || !hasFiles))
      return { kind: "whole", form: await parse(body.bytes, type, boundary), done };
    if (boundary === null) throw data(null, { status: 413, statusText: "Content Too Large" });
    const texts = await parse(
      cutAfterLastPart(body.bytes.subarray(0, maxTextBytes), boundary),
      type,
      boundary,
    );
    return { kind: fits || body.kind === "no-memory" ? "busy" : "too-large", form: texts, done };
  } catch (error) {
    done();
    throw error;
  }
}

/** Ends a truncated form after the last field that is complete. */
function cutAfterLastPart(bytes: Buffer, boundary: string): Buffer<ArrayBuffer> {
  const end = bytes.lastIndexOf(`\r\n--${boundary}\r\n`);
  if (end === -1) return Buffer.from(`--${boundary}--\r\n`);
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

async function parse(
  bytes: Buffer<ArrayBuffer>,
  type: string,
  boundary: string | null,
): Promise<FormData> {
  const form = boundary
    ? readMultipart(bytes, boundary)
    : await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
  if (!form) throw data(null, { status: 400, statusText: "Bad Request" });
  return form;
}

let activeForms = 0;
const waiting: (() => void)[] = [];

/** Waits for a slot. Returns a function that releases it, or null if none became free in time. */
function waitForSlot(address: string): Promise<(() => void) | null> {
  const free = takeSlot(address);
  if (free) return Promise.resolve(free);
  return new Promise((resolve) => {
    const finish = (slot: (() => void) | null) => {
      clearTimeout(timer);
      waiting.splice(waiting.indexOf(next), 1);
      resolve(slot);
    };
    const next = () => {
      const slot = takeSlot(address);
      if (slot) finish(slot);
    };
    const timer = setTimeout(() => finish(null), maxWaitMs);
    waiting.push(next);
  });
}

/**
 * Takes a slot if one is free and the visitor has none. Releasing it lets the waiting forms try, in
 * the order in which they arrived.
 */
function takeSlot(address: string): (() => void) | null {
  const release = activeForms < maxConcurrentForms ? processing.take(address) : null;
  if (!release) return null;
  activeForms += 1;
  let isActive = true;
  return () => {
    if (!isActive) return;
    isActive = false;
    activeForms -= 1;
    release();
    for (const next of [...waiting]) next();
  };
}
