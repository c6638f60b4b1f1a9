import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

type Listener = {
  status: number;
  headers: IncomingMessage["headers"];
  /** All audio received so far. */
  received(): Buffer;
  /**
   * Waits until at least this many bytes have arrived. Resolves to false if the stream ends first.
   */
  waitForBytes(bytes: number): Promise<boolean>;
  /** Resolves when the stream has ended, whichever side ended it. */
  closed: Promise<unknown>;
  disconnect(): void;
};

/**
 * Opens the stream as a browser's audio element does, optionally from another IP address of this
 * machine.
 */
export async function listenTo(url: string, localAddress = "127.0.0.1"): Promise<Listener> {
  const request = get(url, { agent: false, localAddress, headers: { Range: "bytes=0-" } });
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("no response");
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wakeWaiting = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    receivedBytes += chunk.length;
    wakeWaiting();
  });
  request.on("error", () => {});
  response.on("error", () => {});
  const closed = new Promise((resolve) => response.once("close", resolve)).then(() => {
    isClosed = true;
    wakeWaiting();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    received: () => Buffer.concat(chunks),
    async waitForBytes(bytes) {
      while (receivedBytes < bytes && !isClosed)
        await new Promise<void>((resolve) => waiting.add(resolve));
      return receivedBytes >= bytes;
    },
    closed,
    disconnect: () => request.destroy(),
  };
}
