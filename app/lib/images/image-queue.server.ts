import { readFile } from "node:fs/promises";
import type Sharp from "sharp";
import { hasTooManyScans } from "./jpeg-scans.ts";

/** How long the library may work on one image. */
export const imageTimeoutSeconds = 20;

/** Loads the image library only when it is needed: a process without images saves the memory. */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import("sharp");
  // One thread per image and no cache, so that readers' pages stay fast.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/** The library has no error code for timeouts. */
export const isImageTimeout = (error: unknown) =>
  error instanceof Error && /timeout/i.test(error.message);

/**
 * What waits for the work: a page that shows the image, another request (such as an upload or a
 * share image), or nothing yet.
 */
export type ImagePriority = "page" | "request" | "background";

const waiting: Record<ImagePriority, (() => Promise<void>)[]> = {
  page: [],
  request: [],
  background: [],
};
let isWorking = false;

/**
 * Queues work on an image. To limit memory, one piece of work runs at a time. The priorities above
 * are in the order in which they are served.
 */
export function enqueueImage<T>(
  priority: ImagePriority,
  work: (sharp: typeof Sharp) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting[priority].push(() => loadSharp().then(work).then(resolve, reject));
    if (!isWorking) drainQueue();
  });
}

async function drainQueue(): Promise<void> {
  isWorking = true;
  for (;;) {
    const next = waiting.page.shift() ?? waiting.request.shift() ?? waiting.background.shift();
    if (!next) break;
    await next();
  }
  isWorking = false;
}

/**
 * Opens an image to decode its first frame. This fails, or decoding it does, if the image is damaged
 * or would take too much memory or time.
 */
export async function openImage(
  sharp: typeof Sharp,
  source: Uint8Array | string,
  maxMegapixels: number,
): Promise<ReturnType<typeof Sharp>> {
  const bytes = typeof source === "string" ? await readFile(source) : source;
  if (hasTooManyScans(bytes)) throw new Error("This JPEG has too many scans.");
  return sharp(bytes, { limitInputPixels: maxMegapixels * 1e6, pages: 1, failOn: "error" });
}
