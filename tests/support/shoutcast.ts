import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/**
 * An old-style SHOUTcast server. It sends its own status line instead of HTTP, puts metadata into
 * the audio, and requires a password.
 */
export class Shoutcast {
  connections: Socket[] = [];
  private server: Server | null = null;
  private audio: Buffer;
  readonly port: number;

  constructor(port: number, audio: Buffer) {
    this.port = port;
    this.audio = audio;
  }

  async open(): Promise<void> {
    const title = "StreamTitle='The Tugboats - Fog';";
    const metadata = Buffer.concat([
      Buffer.from([3]),
      Buffer.from(title),
      Buffer.alloc(48 - title.length),
    ]);
    this.server = createServer((socket) => {
      this.connections.push(socket);
      socket.on("error", () => {});
      socket.once("data", (bytes) => {
        const credentials = Buffer.from("relay:s/cret").toString("base64");
        if (!bytes.toString().includes(`Authorization: Basic ${credentials}`)) {
          socket.end("ICY 401 Service Unavailable\r\n\r\n");
          return;
        }
        socket.write(
          "ICY 200 OK\r\nicy-name:Tug FM\r\ncontent-type:audio/mpeg\r\nicy-metaint:8192\r\n\r\n",
        );
        let position = 0;
        const send = () => {
          const chunk = this.audio.subarray(position, position + 8_192);
          position = (position + chunk.length) % (this.audio.length - 8_192);
          socket.write(Buffer.concat([chunk, metadata]));
        };
        for (let n = 0; n < 8; n += 1) send();
        const timer = setInterval(send, 500);
        socket.on("close", () => clearInterval(timer));
      });
    }).listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
  }

  async close(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.server?.close();
  }
}
