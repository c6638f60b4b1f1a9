import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

type Listener = {
  status: number;
  headers: IncomingMessage["headers"];
  /** All that was heard so far. */
  received(): Buffer;
  /** Waits until so many bytes were heard; false when the stream ends before. */
  waitForBytes(bytes: number): Promise<boolean>;
  /** When the stream is over, by whosever doing. */
  closed: Promise<unknown>;
  disconnect(): void;
};

/**
 * Somebody who opens the stream, as a browser's audio element does; from another address of this
 * machine if one is given.
 */
export async function listenTo(url: string, localAddress = "127.0.0.1"): Promise<Listener> {
  const request = get(url, { agent: false, localAddress, headers: { Range: "bytes=0-" } });
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("no answer");
  const pieces: Buffer[] = [];
  let total = 0;
  let isOver = false;
  response.on("data", (piece: Buffer) => {
    pieces.push(piece);
    total += piece.length;
  });
  request.on("error", () => {});
  response.on("error", () => {});
  const over = new Promise((resolve) => response.once("close", resolve)).then(() => {
    isOver = true;
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    received: () => Buffer.concat(pieces),
    async waitForBytes(bytes) {
      while (total < bytes && !isOver) await Promise.race([over, pause(20)]);
      return total >= bytes;
    },
    closed: over,
    disconnect: () => request.destroy(),
  };
}
