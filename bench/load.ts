import { connect } from "node:net";

export type Load = { requestsPerSecond: number; p50: number; p99: number };

/** Keep-alive clients that ask for one path over and over, each for its next answer as soon as it has the last. */
export async function load(
  url: string,
  path: string,
  options: { clients: number; seconds: number },
): Promise<Load> {
  const until = performance.now() + options.seconds * 1000;
  const times = (
    await Promise.all(Array.from({ length: options.clients }, () => client(url, path, until)))
  ).flat();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { requestsPerSecond: times.length / options.seconds, p50: at(0.5), p99: at(0.99) };
}

/** A bare socket, so that what is measured is the server and not a client library. */
function client(url: string, path: string, until: number): Promise<number[]> {
  const { port } = new URL(url);
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: gzip\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    const socket = connect(Number(port), "127.0.0.1");
    let began = 0;
    let received = Buffer.alloc(0);
    const ask = () => {
      began = performance.now();
      received = Buffer.alloc(0);
      socket.write(request);
    };
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (!isWhole(received)) return;
      const now = performance.now();
      times.push(now - began);
      if (now < until) return ask();
      socket.destroy();
      resolve(times);
    });
  });
}

function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = answer.toString("latin1", 0, end).toLowerCase();
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return answer.length >= end + 4 + Number(length);
  return answer.subarray(-5).equals(Buffer.from("0\r\n\r\n"));
}
