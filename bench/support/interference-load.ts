// The visitors who cause the load in bench/interference.ts, in a separate process. On "end" it
// sends a report of their responses.
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { boundary, emptyParts, manyFields, stopWords } from "./hostile-documents.ts";
import { sendRequest, visitorAddresses } from "./visitors.ts";

const [, , kind = "", portText = ""] = process.argv;
const port = Number(portText);

/** The number of responses by status; 0 is a connection that ended without a response. */
export type Statuses = Record<number, number>;
export type LoadReport = { statuses: Statuses; pending: number };

const statuses: Statuses = {};
let [turn, inFlight] = [0, 0];
let isOpen = true;
/** The limit of open requests: a server that does not respond gets no further ones. */
const maxInFlight = 1_500;

const count = (status: number) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

/** Sends requests at fixed times, each from a new visitor, without waiting for responses. */
async function perSecond(rate: number, send: (from: number) => Promise<number>): Promise<void> {
  const began = performance.now();
  while (isOpen) {
    while (turn < ((performance.now() - began) * rate) / 1_000) {
      turn += 1;
      if (inFlight >= maxInFlight) continue;
      inFlight += 1;
      send(turn).then((status) => {
        inFlight -= 1;
        count(status);
      });
    }
    await pause(2);
  }
}

/** Sends `size` requests at a time, each followed by the next one after its response. */
async function inParallel(size: number, send: (from: number) => Promise<number>): Promise<void> {
  const lane = async () => {
    while (isOpen) {
      turn += 1;
      inFlight += 1;
      count(await send(turn));
      inFlight -= 1;
      // A refusal takes almost no time, and this row is not about an endless stream of refusals.
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: size }, lane));
}

/** Returns the words in a different order each time, so that cached results do not help. */
function stopWordQuery(from: number): string {
  const rest = [...stopWords];
  const words: string[] = [];
  for (let left = from * 7_919; rest.length > 0; left = Math.floor(left / stopWords.length) + from)
    words.push(...rest.splice(left % rest.length, 1));
  return words.join("+");
}

const formPaths = ["/newsletter", "/contact/form", "/events/submit"];

/**
 * Sends the headers of a large form, then its body in small pieces. Starts again when the server
 * closes the connection.
 */
function trickle(from: number): void {
  if (!isOpen) return;
  const socket = connect({
    port,
    host: "127.0.0.1",
    localAddress: visitorAddresses(from).localAddress,
  });
  const forwarded = visitorAddresses(from).headers["x-forwarded-for"];
  socket.write(
    `POST /community/submit HTTP/1.1\r\nHost: localhost:${port}\r\nX-Forwarded-For: ${forwarded}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 20000000\r\n\r\n--x\r\n`,
  );
  const timer = setInterval(() => socket.write("x".repeat(1_000)), 100);
  socket.on("error", () => {});
  socket.resume();
  socket.on("close", () => {
    clearInterval(timer);
    setTimeout(trickle, 200, from + 4);
  });
}

/**
 * Sends a story with an image as a person would: loads the page, and waits before sending the form.
 */
async function honestUpload(from: number, image: Uint8Array<ArrayBuffer>): Promise<number> {
  const page = await fetch(`http://127.0.0.1:${port}/community/submit`, {
    headers: visitorAddresses(from).headers,
  })
    .then((response) => response.text())
    .catch(() => null);
  if (page === null) return 0;
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  await pause(2_500);
  const form = new FormData();
  const fields = {
    title: "A walk",
    story: "We went for a walk.",
    name: "",
    email: "",
    consent: "on",
    token,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("alt1", "A street");
  form.set("picture1", new Blob([image]), "street.jpg");
  // Browsers send forms as bytes of a known length.
  const encoded = new Response(form);
  return sendRequest({
    port,
    path: "/community/submit",
    from,
    method: "POST",
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
}

async function noisyImage(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const create = { width: 900, height: 900, channels: 3 as const, background: "gray", noise };
  return new Uint8Array(await sharp({ create }).jpeg({ quality: 95 }).toBuffer());
}

/** A listener who stays connected. Resolves to the status once sound arrives. */
function joinRadio(from: number): Promise<number> {
  return new Promise((resolve) => {
    const { localAddress, headers } = visitorAddresses(from);
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.write(
      `GET /api/stream?port=8076 HTTP/1.0\r\nHost: localhost\r\nX-Forwarded-For: ${headers["x-forwarded-for"]}\r\n\r\n`,
    );
    socket.once("data", (bytes) => resolve(Number(bytes.toString("latin1", 9, 12))));
    socket.on("data", () => {});
    socket.on("error", () => resolve(0));
    socket.on("close", () => resolve(0));
  });
}

const loads: Record<string, () => Promise<void>> = {
  searches: () =>
    perSecond(50, (from) => sendRequest({ port, from, path: `/search?q=${stopWordQuery(from)}` })),
  missing: () => perSecond(500, (from) => sendRequest({ port, from, path: `/missing/${from}` })),
  fields: () =>
    perSecond(20, (from) =>
      sendRequest({
        port,
        from,
        path: formPaths[from % formPaths.length] ?? "/newsletter",
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: manyFields,
      }),
    ),
  parts: () => {
    const body = emptyParts();
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    return inParallel(4, (from) =>
      sendRequest({ port, from, path: "/community/submit", method: "POST", headers, body }),
    );
  },
  trickle: async () => {
    const image = await noisyImage();
    for (const from of [1, 2, 3, 4]) trickle(from);
    await perSecond(1, (from) => honestUpload(1_000 + from, image));
  },
  radio: async () => {
    const listeners = 1_000;
    for (let from = 1; from <= listeners; from += 1) {
      inFlight += 1;
      joinRadio(from).then((status) => {
        inFlight -= 1;
        count(status);
      });
      // All listeners join within a second.
      if (from % 20 === 0) await pause(20);
    }
  },
};

process.on("message", () => {
  isOpen = false;
  const report: LoadReport = { statuses, pending: inFlight };
  process.send?.(report, () => process.exit());
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
await loads[kind]?.();
