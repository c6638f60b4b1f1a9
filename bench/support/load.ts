import { connect } from "node:net";

type LoadResult = { requests: number; requestsPerSecond: number; p50: number; p99: number };

/** A placeholder in a request for the IP address of a new visitor. */
export const newVisitor = "{visitor}";

/**
 * Runs keep-alive clients. Each client sends its next request as soon as it has received the
 * previous response.
 */
export async function runLoad(
  url: string,
  request: string,
  options: { clients: number; seconds: number },
): Promise<LoadResult> {
  const until = performance.now() + options.seconds * 1000;
  const { port } = new URL(url);
  const text = `${request}\r\nHost: localhost:${port}\r\n\r\n`;
  const bytes = Buffer.from(text);
  let visitors = 0;
  const nextRequest = text.includes(newVisitor)
    ? () => {
        visitors += 1;
        const address = `81.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
        return Buffer.from(text.replace(newVisitor, address));
      }
    : () => bytes;
  const clients = Array.from({ length: options.clients }, () =>
    runClient(Number(port), nextRequest, until),
  );
  const times = (await Promise.all(clients)).flat();
  times.sort((one, other) => one - other);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return {
    requests: times.length,
    requestsPerSecond: times.length / options.seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}

/**
 * Sends requests until the time is over and returns the response times. Uses a bare socket, to
 * measure the server and not a client library.
 */
function runClient(port: number, nextRequest: () => Buffer, until: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    const socket = connect(port, "127.0.0.1");
    let began = 0;
    let isComplete: (chunk: Buffer) => boolean = readHead;
    const send = () => {
      began = performance.now();
      isComplete = readHead;
      socket.write(nextRequest());
    };
    function readHead(chunk: Buffer): boolean {
      isComplete = createEndDetector(chunk);
      return isComplete(chunk);
    }
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      if (!isComplete(chunk)) return;
      const now = performance.now();
      times.push(now - began);
      if (now < until) return send();
      socket.destroy();
      resolve(times);
    });
  });
}

const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Reads the headers of a response from its first chunk. The returned function says for each chunk,
 * the first included, whether it is the last one.
 */
function createEndDetector(firstChunk: Buffer): (chunk: Buffer) => boolean {
  const end = firstChunk.indexOf("\r\n\r\n");
  const head = firstChunk.toString("latin1", 0, end);
  if (end === -1) throw new Error("The headers of a response arrived in two chunks.");
  // Refusals are fast and would make the server look faster than it is.
  if (!/^HTTP\/1\.1 (?:200|304)/.test(head))
    throw new Error(`The server refused a request: ${head.slice(0, 40)}`);
  // A 304 response states the length of the page that it does not send.
  if (/^HTTP\/1\.1 304/.test(head)) return () => true;
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) return (chunk) => chunk.subarray(-lastChunk.length).equals(lastChunk);
  let missingBytes = end + 4 + Number(length);
  return (chunk) => {
    missingBytes -= chunk.length;
    return missingBytes <= 0;
  };
}
