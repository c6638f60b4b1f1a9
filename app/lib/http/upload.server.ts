import { data } from "react-router";
import { maxTextBytes, parseBoundary, receiveBody } from "./form-body.server.ts";
import { readMultipart } from "./multipart.server.ts";
import { createConcurrencyLimit } from "./visitors.server.ts";

/**
 * The number of forms whose files are processed at the same time, which takes several times their
 * memory.
 */
const atOnce = 2;
const waitMs = 20_000;
/** The number of forms with files that one visitor may send at the same time. */
const uploadsPerVisitor = 2;
/**
 * What is too large is read on and thrown away, since a browser that is still sending hears no
 * answer; up to a point.
 */
const maxReadBytes = 128 * 1024 * 1024;

/**
 * `done` is to be called when the files are no longer needed. If they are not there, the texts
 * before them are.
 */
type Upload = { kind: "whole" | "too-large" | "busy"; form: FormData; done(): void };

const uploads = createConcurrencyLimit(uploadsPerVisitor);
/**
 * One at a time for each visitor, so that somebody else's form never waits for more than one of a
 * visitor's.
 */
const working = createConcurrencyLimit(1);

/**
 * Reads a form that may hold files. A form without files never waits for one with. Nothing waits
 * for a body that is still arriving: a form takes its place among those that are processed when all
 * of it is here.
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
  const leaveUploads = fits ? uploads.take(address) : null;
  const room = leaveUploads ? maxBytes : maxTextBytes;
  const body = await receiveBody(request, { type, room, maxReadBytes, address });
  if (body.kind === "refused") {
    leaveUploads?.();
    const { status, statusText, sentence } = body;
    throw data(sentence, { status, statusText });
  }
  let leave: (() => void) | null = null;
  const done = () => {
    leave?.();
    leaveUploads?.();
    body.end();
  };
  try {
    const hasFiles = body.bytes.length > maxTextBytes;
    if (body.kind === "whole" && hasFiles) leave = await enter(address);
    if (body.kind === "whole" && (leave || !hasFiles))
      return { kind: "whole", form: await parse(body.bytes, type, boundary), done };
    if (boundary === null) throw data(null, { status: 413, statusText: "Content Too Large" });
    const texts = await parse(
      untilLastPart(body.bytes.subarray(0, maxTextBytes), boundary),
      type,
      boundary,
    );
    return { kind: fits || body.kind === "no-memory" ? "busy" : "too-large", form: texts, done };
  } catch (error) {
    done();
    throw error;
  }
}

/** A form that was cut off, ended cleanly after the last field that is there as a whole. */
function untilLastPart(bytes: Buffer, boundary: string): Buffer<ArrayBuffer> {
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

let inside = 0;
const waiting: (() => void)[] = [];

/** Waits for a place; the answer gives it back. Null when none has become free in time. */
function enter(address: string): Promise<(() => void) | null> {
  const place = takePlace(address);
  if (place) return Promise.resolve(place);
  return new Promise((resolve) => {
    const finish = (given: (() => void) | null) => {
      clearTimeout(timer);
      waiting.splice(waiting.indexOf(next), 1);
      resolve(given);
    };
    const next = () => {
      const given = takePlace(address);
      if (given) finish(given);
    };
    const timer = setTimeout(() => finish(null), waitMs);
    waiting.push(next);
  });
}

/**
 * A place that is free now, for a visitor who has none. Giving it back lets those who wait try, the
 * first one first.
 */
function takePlace(address: string): (() => void) | null {
  const leave = inside < atOnce ? working.take(address) : null;
  if (!leave) return null;
  inside += 1;
  let isInside = true;
  return () => {
    if (!isInside) return;
    isInside = false;
    inside -= 1;
    leave();
    for (const next of [...waiting]) next();
  };
}
