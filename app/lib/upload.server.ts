import { data } from "react-router";

/** Room for the longest text of any form in any script: a letter may take nine bytes on the way. */
export const maxTextBytes = 256 * 1024;

/** Forms with files are taken in so many at a time, so that what they hold in memory is bounded. */
const atOnce = 4;
const waitMs = 20_000;
/** What is too large is read on and thrown away, since a browser that is still sending hears no answer; up to a point. */
const maxReadBytes = 128 * 1024 * 1024;

/** `done` is to be called when the files are no longer needed. If they are not there, the texts before them are. */
export type Upload = { kind: "whole" | "too-large" | "busy"; form: FormData; done(): void };

/** Reads a form that may hold files. A form without files never waits for one with. */
export async function readUpload(request: Request, maxBytes: number): Promise<Upload> {
  const type = request.headers.get("content-type") ?? "";
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(type)?.[1];
  const declared = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  const isText = boundary === undefined || declared <= maxTextBytes;
  const fits = !isText && declared <= maxBytes;
  const leave = fits ? await enter() : null;
  try {
    const { bytes, isWhole } = await readUpTo(request, leave ? maxBytes : maxTextBytes);
    if (isWhole) return { kind: "whole", form: await parse(bytes, type), done: leave ?? (() => {}) };
    if (boundary === undefined) throw data(null, { status: 413, statusText: "Content Too Large" });
    leave?.();
    const form = await parse(untilLastPart(bytes, boundary), type);
    return { kind: fits ? "busy" : "too-large", form, done() {} };
  } catch (error) {
    leave?.();
    throw error;
  }
}

/** Keeps as much of the body as there is room for; the rest is read and forgotten. */
async function readUpTo(request: Request, room: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let [read, kept] = [0, 0];
  for await (const chunk of request.body ?? []) {
    read += chunk.length;
    if (read > maxReadBytes) throw data(null, { status: 413, statusText: "Content Too Large" });
    const piece = chunk.subarray(0, room - kept);
    kept += piece.length;
    if (piece.length > 0) chunks.push(piece);
  }
  return { bytes: Buffer.concat(chunks), isWhole: kept === read };
}

/** A form that was cut off, ended cleanly after the last field that is there as a whole. */
function untilLastPart(bytes: Buffer, boundary: string): Buffer {
  const end = Math.max(bytes.lastIndexOf(`\r\n--${boundary}\r\n`), 0);
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

async function parse(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } }).formData();
  } catch {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
}

let inside = 0;
const waiting: (() => void)[] = [];

/** Waits for a place; the answer gives it back. Null when none has become free in time. */
function enter(): Promise<(() => void) | null> {
  if (inside < atOnce) {
    inside += 1;
    return Promise.resolve(leaveOnce());
  }
  return new Promise((resolve) => {
    const next = () => {
      clearTimeout(timer);
      resolve(leaveOnce());
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(next), 1);
      resolve(null);
    }, waitMs);
    waiting.push(next);
  });
}

/** Gives one place back, to whoever waits longest, however often it is called. */
function leaveOnce(): () => void {
  let isInside = true;
  return () => {
    if (!isInside) return;
    isInside = false;
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  };
}
