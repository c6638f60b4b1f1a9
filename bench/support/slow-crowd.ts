// The slow clients of bench/slow-clients.ts, in a separate process so that they cannot slow down
// the measurement. Prints "here" when all are connected and "gone" when the server has disconnected
// the last one.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

const [, , port = "", clientCount = "", script = ""] = process.argv;

/**
 * A third of the clients never end their headers, a third send a form byte by byte, and a third
 * request large files and read almost nothing.
 */
const sockets = Array.from({ length: Number(clientCount) }, (_, index) => {
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  if (index % 3 === 0) drip(socket, "GET /about HTTP/1.1\r\nHost: localhost\r\n", "X-Slow: 1\r\n");
  else if (index % 3 === 1) {
    drip(
      socket,
      "POST /newsletter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n",
      "x",
    );
  } else {
    socket.write(
      `GET ${script} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n`.repeat(8),
    );
    // Read one chunk, then nothing for a second.
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), 1_000);
    });
  }
  return socket;
});

const waitForAll = (event: string) => Promise.all(sockets.map((socket) => once(socket, event)));
const allClosed = waitForAll("close");
await waitForAll("connect");
console.log("here");
await allClosed;
console.log("gone");

function drip(socket: Socket, head: string, piece: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), 1_000);
  // Read the response; otherwise the socket does not notice that the server closed the connection.
  socket.resume();
  socket.on("close", () => clearInterval(timer));
}
