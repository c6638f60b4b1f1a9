import type { IncomingMessage, ServerResponse } from "node:http";

type SendTimeouts = {
  /** A form of words has so long to arrive. */
  formMs: number;
  /**
   * Images from a phone have more, as long as each stretch of `formMs` brings them on at this pace.
   */
  filesMs: number;
  filesBytesPerSecond: number;
};

/** Even the slowest mobile network that people still use brings 4 KB per second. */
export const defaultSendTimeouts: SendTimeouts = {
  formMs: 30_000,
  filesMs: 5 * 60_000,
  filesBytesPerSecond: 4 * 1024,
};

/**
 * Lets go of whoever sends the body of a request too slowly. Node's own limit is the same for every
 * address.
 */
export function disconnectSlowSender(
  request: IncomingMessage,
  response: ServerResponse,
  mayHoldFiles: () => boolean,
  { formMs, filesMs, filesBytesPerSecond }: SendTimeouts = defaultSendTimeouts,
): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const began = performance.now();
  let seen = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isFast = bytesRead - seen >= (filesBytesPerSecond * formMs) / 1_000;
    const comesOn = mayHoldFiles() && isFast && performance.now() - began < filesMs;
    seen = bytesRead;
    if (request.complete) clearInterval(timer);
    else if (!comesOn) letGo();
  }, formMs);
  const letGo = () => {
    clearInterval(timer);
    if (!response.headersSent) response.writeHead(408, { Connection: "close" }).end();
    else request.destroy();
  };
  request.once("close", () => clearInterval(timer));
}
