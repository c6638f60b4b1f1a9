import type { Server } from "node:http";
import type { Socket } from "node:net";

type SlowReaderLimits = { checkEveryMs: number; maxStuckChecks: number };

const defaultLimits: SlowReaderLimits = { checkEveryMs: 10_000, maxStuckChecks: 5 };

/**
 * Disconnects readers whose connection accepts no data for about 50 seconds, because unsent data
 * stays in memory. One timer checks all open connections; a timeout per connection would have to be
 * reset for every request.
 */
export function disconnectSlowReaders(
  server: Server,
  { checkEveryMs, maxStuckChecks }: SlowReaderLimits = defaultLimits,
): void {
  const readers = new Map<Socket, { bytes: number; stuckChecks: number }>();
  server.on("connection", (socket: Socket) => {
    readers.set(socket, { bytes: 0, stuckChecks: 0 });
    socket.once("close", () => readers.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, reader] of readers) {
      const bytes = socket.bytesWritten - socket.writableLength;
      reader.stuckChecks =
        socket.writableLength > 0 && bytes === reader.bytes ? reader.stuckChecks + 1 : 0;
      reader.bytes = bytes;
      if (reader.stuckChecks >= maxStuckChecks) socket.destroy();
    }
  }, checkEveryMs).unref();
  server.once("close", () => clearInterval(timer));
}
