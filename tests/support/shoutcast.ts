import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

const chunkBytes = 8_192;
const chunkCount = 8;

/**
 * An old-style SHOUTcast server. It sends its own status line instead of HTTP, puts metadata into
 * the audio, and requires a password. Each new connection gets four seconds of audio.
 */
export class Shoutcast {
  /** All connections so far. */
  connections: Socket[] = [];
  /** What each new connection gets, without the metadata. */
  readonly firstAudio: Buffer;
  private server: Server;
  private isOnAir = true;

  constructor(audio: Buffer) {
    this.firstAudio = audio.subarray(0, chunkCount * chunkBytes);
    const title = "StreamTitle='The Tugboats - Fog';";
    const metadata = Buffer.concat([
      Buffer.from([3]),
      Buffer.from(title),
      Buffer.alloc(48 - title.length),
    ]);
    this.server = createServer((socket) => {
      socket.on("error", () => {});
      if (!this.isOnAir) {
        socket.destroy();
        return;
      }
      this.connections.push(socket);
      socket.once("data", (bytes) => {
        const credentials = Buffer.from("relay:s/cret").toString("base64");
        if (!bytes.toString().includes(`Authorization: Basic ${credentials}`)) {
          socket.end("ICY 401 Service Unavailable\r\n\r\n");
          return;
        }
        socket.write(
          `ICY 200 OK\r\nicy-name:Tug FM\r\ncontent-type:audio/mpeg\r\nicy-metaint:${chunkBytes}\r\n\r\n`,
        );
        for (let start = 0; start < this.firstAudio.length; start += chunkBytes)
          socket.write(
            Buffer.concat([this.firstAudio.subarray(start, start + chunkBytes), metadata]),
          );
      });
    });
  }

  /** Starts the server on a free port, and returns its URL. */
  async open(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    const address = this.server.address();
    const port = typeof address === "object" ? address?.port : "";
    return `http://relay:s%2Fcret@127.0.0.1:${port}/`;
  }

  /** Ends all connections, and accepts no new ones until the station is on the air again. */
  goOffAir(): void {
    this.isOnAir = false;
    for (const socket of this.connections) socket.destroy();
  }

  goOnAir(): void {
    this.isOnAir = true;
  }

  close(): void {
    this.goOffAir();
    this.server.close();
  }
}
