import { describe, expect, it, vi } from "vitest";
import { maxTextBytes } from "../../../app/lib/form.ts";
import { formLimit, formMemory } from "../limits.ts";
import { readFormBody } from "./read-forms.ts";

const room = 2 * maxTextBytes;
function request(fileBytes: number): Promise<Request> {
  const form = new FormData();
  form.set("title", "The cat");
  form.set("file", new Blob([new Uint8Array(fileBytes)]), "cat.jpg");
  return withLength(new Request("http://a/", { method: "POST", body: form }));
}
/** Adds a Content-Length header, as browsers do. */
async function withLength(request: Request): Promise<Request> {
  const body = await request.arrayBuffer();
  const headers = {
    "content-type": request.headers.get("content-type") ?? "",
    "content-length": `${body.byteLength}`,
  };
  return new Request(request.url, { method: "POST", headers, body });
}

/** Receives a form with files, or throws the reason why it was refused. */
async function receiveUpload(request: Request, maxBytes: number, ipAddress: string) {
  const received = await readFormBody(request, { acceptsFiles: true, maxBytes, ipAddress });
  if (received.kind === "refused") throw received;
  return received;
}

describe("a form with files", () => {
  it("waits while two others are processed; a form without files does not wait", async () => {
    const read = async (ipAddress: string, bytes = maxTextBytes) =>
      receiveUpload(await request(bytes), room, ipAddress);
    const two = [await read("192.0.2.1"), await read("192.0.2.2")];
    let isReceived = false;
    const third = read("192.0.2.3").then((upload) => {
      isReceived = true;
      return upload;
    });
    const withoutFile = await read("192.0.2.4", 10);
    expect([withoutFile.kind, isReceived]).toEqual(["whole", false]);
    two[0]?.end();
    two[0]?.end();
    expect((await third).form?.get("file")).toBeInstanceOf(File);
    for (const { end } of [...two, withoutFile, await third]) end();
  });

  it("waits for another one of the same visitor, so that one visitor never takes all slots", async () => {
    const read = async (ipAddress: string) =>
      receiveUpload(await request(maxTextBytes), room, ipAddress);
    const first = await read("2001:db8:1::1");
    const second = read("2001:db8:1::2");
    const other = await read("192.0.2.5");
    first.end();
    for (const { end } of [other, await second]) end();
  });

  it("waits for the second one of the same visitor after the first one is done", async () => {
    const read = async (ipAddress: string) =>
      receiveUpload(await request(maxTextBytes), room, ipAddress);
    const first = await read("192.0.2.7");
    const waiting = read("192.0.2.7");
    // When this one is received, the second one has arrived too, and waits.
    (await read("192.0.2.8")).end();
    first.end();
    const second = await waiting;
    let isReceived = false;
    const third = read("192.0.2.7").then((upload) => {
      isReceived = true;
      return upload;
    });
    // A form of another visitor gets the free slot, which the third one must not have taken.
    const other = await read("192.0.2.8");
    expect(isReceived).toBe(false);
    second.end();
    for (const { end } of [other, await third]) end();
  });

  it("is refused while two forms of the same visitor trickle in; another visitor's form is accepted", async () => {
    const headers = {
      "content-type": "multipart/form-data; boundary=b",
      "content-length": String(room),
    };
    const trickles = Array.from({ length: 2 }, () => {
      const { readable, writable } = new TransformStream();
      const sending = writable.getWriter();
      const init = { method: "POST", headers, body: readable, duplex: "half" };
      const slow = new Request("http://a/", init);
      return { sending, upload: receiveUpload(slow, room, "2001:db8::1").catch(() => null) };
    });
    const same = await receiveUpload(await request(maxTextBytes), room, "2001:db8::2");
    expect([same.kind, same.form?.get("title")]).toEqual(["busy", "The cat"]);
    same.end();
    const other = await receiveUpload(await request(maxTextBytes), room, "192.0.2.1");
    expect(other.kind).toBe("whole");
    other.end();
    for (const { sending } of trickles) await sending.abort();
    await Promise.all(trickles.map(({ upload }) => upload));
    const later = await receiveUpload(await request(maxTextBytes), room, "2001:db8::2");
    expect(later.kind).toBe("whole");
    later.end();
  });

  it("with too many parts is refused before it is parsed", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const body = "--b\r\n\r\n\r\n".repeat(100_000);
    await expect(
      receiveUpload(new Request("http://a/", { method: "POST", headers, body }), room, ""),
    ).rejects.toMatchObject({ status: 413, message: "This has more fields than our forms have." });
  });

  it("that is too large returns its texts and frees its slot", async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const { kind, form, end } = await receiveUpload(await request(room), room, "");
      end();
      expect([kind, form?.get("title"), form?.get("file")]).toEqual(["too-large", "The cat", null]);
    }
  });

  it("without a Content-Length is measured as it arrives", async () => {
    const receive = (fileBytes: number) => {
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(fileBytes)]), "cat.jpg");
      return receiveUpload(new Request("http://a/", { method: "POST", body: form }), room, "");
    };
    for (const [fileBytes, kind] of [
      [maxTextBytes, "whole"],
      [room, "too-large"],
    ] as const) {
      const received = await receive(fileBytes);
      received.end();
      expect(received.kind).toBe(kind);
    }
  });

  it("is recognized if it is not a form, and refused with 413 if it has no files but is too large", async () => {
    const plainText = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
    const other = await receiveUpload(new Request("http://a/", plainText), room, "");
    expect(other.form).toBeNull();
    other.end();
    const long = new URLSearchParams({ title: "x".repeat(maxTextBytes) });
    await expect(
      receiveUpload(new Request("http://a/", { method: "POST", body: long }), room, ""),
    ).rejects.toMatchObject({ status: 413 });
  });
});

it("the seventeenth form that one visitor sends at the same time is refused, and no other visitor's", async () => {
  const senders: ReadableStreamDefaultController[] = [];
  const send = (ipAddress: string) => {
    const body = new ReadableStream({ start: (controller) => void senders.push(controller) });
    const init = { method: "POST", body, duplex: "half" };
    const request = new Request("http://localhost/", init);
    return readFormBody(request, { acceptsFiles: false, maxBytes: 100, ipAddress });
  };
  const sixteen = Array.from({ length: formLimit.concurrent.visitor }, () => send("192.0.2.1"));
  expect(await send("192.0.2.1")).toMatchObject({ kind: "refused", status: 429 });
  const other = send("192.0.2.2");
  for (const sender of senders) sender.close();
  for (const body of await Promise.all([...sixteen, other])) {
    expect(body.kind).toBe("whole");
    if (body.kind !== "refused") body.end();
  }
});

it("forms without files that arrive slowly leave the memory to a reader's form", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const senders: ReadableStreamDefaultController[] = [];
    const part = new Uint8Array(formMemory.visitor / formLimit.concurrent.visitor / 9);
    const trickles = Array.from({ length: 18 * formLimit.concurrent.visitor }, (_, n) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(part);
          senders.push(controller);
        },
      });
      const init = { method: "POST", body, duplex: "half" };
      const request = new Request("http://localhost/", init);
      const ipAddress = `192.0.2.${Math.floor(n / formLimit.concurrent.visitor)}`;
      return readFormBody(request, { acceptsFiles: false, maxBytes: maxTextBytes, ipAddress });
    });
    await new Promise(setImmediate);
    vi.advanceTimersByTime(60_000);
    const received = await receiveUpload(await request(maxTextBytes), room, "198.51.100.1");
    expect(received.kind).toBe("whole");
    received.end();
    for (const sender of senders) sender.close();
    for (const body of await Promise.all(trickles)) if (body.kind !== "refused") body.end();
  } finally {
    vi.useRealTimers();
  }
});
