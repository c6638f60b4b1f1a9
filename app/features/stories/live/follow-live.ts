import { livePath } from "../model.ts";

/** How often the page is loaded again if the server has no room for another stream. */
const pollMs = 15_000;

/**
 * Follows a live story. `onVersion` is called with each new version. If there is no stream, `poll`
 * is called from time to time instead. Returns a function that ends it.
 */
export function followLive(
  id: string,
  onVersion: (version: string) => void,
  poll: () => void,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stream = new EventSource(livePath(id));
  stream.addEventListener("version", ({ data }: MessageEvent<string>) => onVersion(data));
  stream.addEventListener("error", () => {
    // The browser connects again by itself, unless the server has refused the stream.
    if (stream.readyState !== EventSource.CLOSED || timer !== undefined) return;
    timer = setInterval(poll, pollMs * (1 + Math.random() / 2));
  });
  return () => {
    stream.close();
    clearInterval(timer);
  };
}
