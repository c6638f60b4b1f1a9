import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnectSlowSender } from "./connections.ts";
import { sendTimeouts } from "./limits.ts";

const { formMs, filesMs, filesBytesPerSecond } = sendTimeouts;
/** What a form with files must send in each period of `formMs`. */
const requiredBytes = (filesBytesPerSecond * formMs) / 1_000;

const server = createServer((request, response) => {
  disconnectSlowSender(request, response, () => request.url === "/files");
  if (request.url === "/refused") response.writeHead(413, { Connection: "close" }).end();
  else request.on("end", () => response.end("accepted"));
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
});

/** Begins to send a form of this length. */
async function sendForm(path: string, length: number) {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server is not open.");
  const requested = once(server, "request");
  const socket = connect(address.port, "127.0.0.1");
  socket.on("error", () => {});
  const response = text(socket).catch(() => "");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
  );
  const request: IncomingMessage = (await requested)[0];
  let received = 0;
  if (path !== "/refused")
    request.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
  return {
    /** Sends a part of the body, and waits until the server has it. */
    async send(bytes: number) {
      const total = received + bytes;
      socket.write(Buffer.alloc(bytes));
      while (received < total) await once(request, "data");
    },
    /** Sends a part of the body that the server need not read. */
    begin: (bytes: number) => socket.write(Buffer.alloc(bytes)),
    readStatus: async () => Number(/^HTTP\/1\.1 (\d+)/.exec(await response)?.[1]),
  };
}

describe("a client that sends a form slowly", () => {
  it("has half a minute for a form without files", async () => {
    const form = await sendForm("/text", 20);
    await form.send(10);
    vi.advanceTimersByTime(formMs - 1);
    await form.send(10);
    expect(await form.readStatus()).toBe(200);
  });

  it("is disconnected after that, even if the form keeps arriving", async () => {
    const form = await sendForm("/text", 10 * requiredBytes);
    await form.send(2 * requiredBytes);
    vi.advanceTimersByTime(formMs);
    expect(await form.readStatus()).toBe(408);
  });

  it("has more time for a form with files as long as the files keep arriving", async () => {
    const form = await sendForm("/files", 5 * requiredBytes);
    for (let period = 0; period < 4; period += 1) {
      await form.send(requiredBytes);
      vi.advanceTimersByTime(formMs);
    }
    await form.send(requiredBytes);
    expect(await form.readStatus()).toBe(200);
  });

  it.each([0, requiredBytes - 1])(
    "is disconnected if only %i bytes of its files arrive in a period",
    async (bytes) => {
      const form = await sendForm("/files", 10 * requiredBytes);
      await form.send(requiredBytes);
      vi.advanceTimersByTime(formMs);
      if (bytes > 0) await form.send(bytes);
      vi.advanceTimersByTime(formMs);
      expect(await form.readStatus()).toBe(408);
    },
  );

  it("is disconnected after five minutes, even if its files keep arriving", async () => {
    const periods = filesMs / formMs;
    const form = await sendForm("/files", (periods + 1) * requiredBytes);
    for (let period = 0; period < periods; period += 1) {
      await form.send(requiredBytes);
      vi.advanceTimersByTime(formMs);
    }
    expect(await form.readStatus()).toBe(408);
  });

  it("is no longer watched once its form was refused, because that would keep the form in memory", async () => {
    const form = await sendForm("/refused", 10 * requiredBytes);
    form.begin(requiredBytes);
    expect(await form.readStatus()).toBe(413);
    expect(vi.getTimerCount()).toBe(0);
  });
});
