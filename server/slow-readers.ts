import type { Server } from "node:http";
import type { Socket } from "node:net";

export type Pace = { checkEveryMs: number; minBytes: number; checks: number };

/** Fewer than 10 KB in half a minute: slower than any line that a reader would wait for. */
const usualPace: Pace = { checkEveryMs: 10_000, minBytes: 3_400, checks: 3 };

/**
 * Lets go of readers who take next to nothing of what is being sent to them, and hold its memory meanwhile. Looks at
 * the open connections now and then; a time-out on each would have to be set anew with every request.
 */
export function endSlowReaders(server: Server, { checkEveryMs, minBytes, checks }: Pace = usualPace): void {
  const taken = new Map<Socket, { bytes: number; slow: number }>();
  server.on("connection", (socket: Socket) => {
    taken.set(socket, { bytes: 0, slow: 0 });
    socket.once("close", () => taken.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, reader] of taken) {
      const bytes = socket.bytesWritten - socket.writableLength;
      const isSlow = socket.writableLength > 0 && bytes - reader.bytes < minBytes;
      reader.slow = isSlow ? reader.slow + 1 : 0;
      reader.bytes = bytes;
      if (reader.slow >= checks) socket.destroy();
    }
  }, checkEveryMs).unref();
  server.once("close", () => clearInterval(timer));
}
