// The visitors who make the trouble in bench/interference.ts, in a process of their own. On "end"
// it sends what became of them.
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { boundary, emptyParts, manyFields, stopWords } from "./hostile-documents.ts";
import { ask, visitor } from "./visitors.ts";

const [, , kind = "", portText = ""] = process.argv;
const port = Number(portText);

/** How many answers had each status; 0 is a connection that ended without one. */
export type Statuses = Record<number, number>;
export type LoadReport = { statuses: Statuses; unanswered: number };

const statuses: Statuses = {};
let [turn, inFlight] = [0, 0];
let isOpen = true;
/** More are not kept waiting: a server that answers nobody gets no more either. */
const mostInFlight = 1_500;

const count = (status: number) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

/** At fixed times, from a new visitor each time, whether or not earlier ones were answered. */
async function perSecond(rate: number, send: (from: number) => Promise<number>): Promise<void> {
  const began = performance.now();
  while (isOpen) {
    while (turn < ((performance.now() - began) * rate) / 1_000) {
      turn += 1;
      if (inFlight >= mostInFlight) continue;
      inFlight += 1;
      send(turn).then((status) => {
        inFlight -= 1;
        count(status);
      });
    }
    await pause(2);
  }
}

/** Some at a time, each the next as soon as it has its answer. */
async function lanes(size: number, send: (from: number) => Promise<number>): Promise<void> {
  const lane = async () => {
    while (isOpen) {
      turn += 1;
      inFlight += 1;
      count(await send(turn));
      inFlight -= 1;
      // A refusal takes no time at all, and an endless stream of them is not what this row is
      // about.
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: size }, lane));
}

/** The words in another order each time, so that an answer that is kept helps nobody. */
function stopWordQuery(from: number): string {
  const rest = [...stopWords];
  const words: string[] = [];
  for (let left = from * 7_919; rest.length > 0; left = Math.floor(left / stopWords.length) + from)
    words.push(...rest.splice(left % rest.length, 1));
  return words.join("+");
}

const formPaths = ["/newsletter", "/contact/form", "/events/submit"];

/**
 * Sends the head of a large form and then a little of it now and then; begins again when the server
 * ends it.
 */
function trickle(from: number): void {
  if (!isOpen) return;
  const socket = connect({ port, host: "127.0.0.1", localAddress: visitor(from).localAddress });
  const forwarded = visitor(from).headers["x-forwarded-for"];
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
 * A story with a picture, sent as a person would: the page first, the form later than a program.
 */
async function honestUpload(from: number, picture: Uint8Array<ArrayBuffer>): Promise<number> {
  const page = await fetch(`http://127.0.0.1:${port}/community/submit`, {
    headers: visitor(from).headers,
  })
    .then((answer) => answer.text())
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
  form.set("picture1", new Blob([picture]), "street.jpg");
  // As bytes of a known length, as browsers send it.
  const encoded = new Response(form);
  return ask({
    port,
    path: "/community/submit",
    from,
    method: "POST",
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
}

async function noisyPicture(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const create = { width: 900, height: 900, channels: 3 as const, background: "gray", noise };
  return new Uint8Array(await sharp({ create }).jpeg({ quality: 95 }).toBuffer());
}

/** A listener who stays. Answers with the status once sound has come. */
function joinRadio(from: number): Promise<number> {
  return new Promise((resolve) => {
    const { localAddress, headers } = visitor(from);
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
    perSecond(50, (from) => ask({ port, from, path: `/search?q=${stopWordQuery(from)}` })),
  missing: () => perSecond(500, (from) => ask({ port, from, path: `/missing/${from}` })),
  fields: () =>
    perSecond(20, (from) =>
      ask({
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
    return lanes(4, (from) =>
      ask({ port, from, path: "/community/submit", method: "POST", headers, body }),
    );
  },
  trickle: async () => {
    const picture = await noisyPicture();
    for (const from of [1, 2, 3, 4]) trickle(from);
    await perSecond(1, (from) => honestUpload(1_000 + from, picture));
  },
  radio: async () => {
    const listeners = 1_000;
    for (let from = 1; from <= listeners; from += 1) {
      inFlight += 1;
      joinRadio(from).then((status) => {
        inFlight -= 1;
        count(status);
      });
      // All of them within a second.
      if (from % 20 === 0) await pause(20);
    }
  },
};

process.on("message", () => {
  isOpen = false;
  const report: LoadReport = { statuses, unanswered: inFlight };
  process.send?.(report, () => process.exit());
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
await loads[kind]?.();
