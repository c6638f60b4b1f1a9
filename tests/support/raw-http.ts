import { connect } from "node:net";

/**
 * Sends bytes unchanged and returns the complete response. For requests that no well-behaved client
 * would send.
 */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname === "localhost" ? "127.0.0.1" : hostname,
      port: Number(port),
    });
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(response));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" ? resolve(response) : reject(error),
    );
    socket.write(bytes);
  });
}

export const readStatus = (response: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
