import type { Server } from "node:http";
import type { Socket } from "node:net";

export type Patience = { checkEveryMs: number; checks: number };

const usualPatience: Patience = { checkEveryMs: 10_000, checks: 5 };

/**
 * Lets go of readers who for most of a minute take not one more piece of what is being sent, and hold its memory
 * meanwhile. Looks at the open connections now and then; a time-out on each would be set anew with every request.
 */
export function endSlowReaders(server: Server, { checkEveryMs, checks }: Patience = usualPatience): void {
  const taken = new Map<Socket, { bytes: number; stuck: number }>();
  server.on("connection", (socket: Socket) => {
    taken.set(socket, { bytes: 0, stuck: 0 });
    socket.once("close", () => taken.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, reader] of taken) {
      const bytes = socket.bytesWritten - socket.writableLength;
      reader.stuck = socket.writableLength > 0 && bytes === reader.bytes ? reader.stuck + 1 : 0;
      reader.bytes = bytes;
      if (reader.stuck >= checks) socket.destroy();
    }
  }, checkEveryMs).unref();
  server.once("close", () => clearInterval(timer));
}
