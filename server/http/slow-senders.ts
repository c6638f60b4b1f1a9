import type { IncomingMessage, ServerResponse } from "node:http";
import { sendTimeouts } from "./limits.ts";

/**
 * Disconnects a client that sends the body of a request too slowly. Node's own limit cannot differ
 * by path.
 */
export function disconnectSlowSender(
  request: IncomingMessage,
  response: ServerResponse,
  acceptsFiles: () => boolean,
  { formMs, filesMs, filesBytesPerSecond }: typeof sendTimeouts = sendTimeouts,
): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const startedAt = performance.now();
  let lastBytesRead = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isFast = bytesRead - lastBytesRead >= (filesBytesPerSecond * formMs) / 1_000;
    const mayContinue = acceptsFiles() && isFast && performance.now() - startedAt < filesMs;
    lastBytesRead = bytesRead;
    if (request.complete) clearInterval(timer);
    else if (!mayContinue) disconnect();
  }, formMs);
  const disconnect = () => {
    clearInterval(timer);
    if (!response.headersSent) response.writeHead(408, { Connection: "close" }).end();
    else request.destroy();
  };
  request.once("close", () => clearInterval(timer));
}
