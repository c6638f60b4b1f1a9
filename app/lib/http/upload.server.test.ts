import { describe, expect, it } from "vitest";
import { maxTextBytes } from "./form-body.server.ts";
import { receiveUpload } from "./upload.server.ts";

const room = 2 * maxTextBytes;
function request(fileBytes: number): Promise<Request> {
  const form = new FormData();
  form.set("title", "The cat");
  form.set("file", new Blob([new Uint8Array(fileBytes)]), "cat.jpg");
  return withLength(new Request("http://a/", { method: "POST", body: form }));
}
/** As a browser sends it: with the length said beforehand. */
async function withLength(made: Request): Promise<Request> {
  const body = await made.arrayBuffer();
  const headers = {
    "content-type": made.headers.get("content-type") ?? "",
    "content-length": `${body.byteLength}`,
  };
  return new Request(made.url, { method: "POST", headers, body });
}

describe("a form with files", () => {
  it("waits while two others are processed, and one without files does not", async () => {
    const read = async (address: string, bytes = maxTextBytes) =>
      receiveUpload(await request(bytes), room, address);
    const two = [await read("192.0.2.1"), await read("192.0.2.2")];
    let isIn = false;
    const third = read("192.0.2.3").then((upload) => {
      isIn = true;
      return upload;
    });
    const words = await read("192.0.2.4", 10);
    expect([words.kind, isIn]).toEqual(["whole", false]);
    two[0]?.done();
    two[0]?.done();
    expect((await third).form.get("file")).toBeInstanceOf(File);
    for (const { done } of [...two, words, await third]) done();
  });

  it("of one visitor is refused while two of the same visitor trickle, and somebody else's gets through", async () => {
    const headers = {
      "content-type": "multipart/form-data; boundary=b",
      "content-length": String(room),
    };
    const trickles = Array.from({ length: 2 }, () => {
      const { readable, writable } = new TransformStream();
      const sending = writable.getWriter();
      const init = { method: "POST", headers, body: readable, duplex: "half" };
      const slow = new Request("http://a/", init);
      return { sending, answer: receiveUpload(slow, room, "2001:db8::1").catch(() => null) };
    });
    const same = await receiveUpload(await request(maxTextBytes), room, "2001:db8::2");
    expect([same.kind, same.form.get("title")]).toEqual(["busy", "The cat"]);
    same.done();
    const other = await receiveUpload(await request(maxTextBytes), room, "192.0.2.1");
    expect(other.kind).toBe("whole");
    other.done();
    for (const { sending } of trickles) await sending.abort();
    await Promise.all(trickles.map(({ answer }) => answer));
    const later = await receiveUpload(await request(maxTextBytes), room, "2001:db8::2");
    expect(later.kind).toBe("whole");
    later.done();
  });

  it("of more parts than a form has is refused before it is parsed", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const body = "--b\r\n\r\n\r\n".repeat(100_000);
    await expect(
      receiveUpload(new Request("http://a/", { method: "POST", headers, body }), room, ""),
    ).rejects.toMatchObject({ init: { status: 413, statusText: "Too Many Form Fields" } });
  });

  it("that is too large gives its words, and leaves its place to others", async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const { kind, form } = await receiveUpload(await request(room), room, "");
      expect([kind, form.get("title"), form.get("file")]).toEqual(["too-large", "The cat", null]);
    }
  });

  it("that does not say its length is counted as it comes", async () => {
    const form = new FormData();
    form.set("title", "The cat");
    form.set("file", new Blob([new Uint8Array(room)]), "cat.jpg");
    const endless = new Request("http://a/", { method: "POST", body: form });
    expect(await receiveUpload(endless, room, "")).toMatchObject({ kind: "too-large" });
  });

  it("or none, that is no form, is the sender's mistake", async () => {
    const words = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
    await expect(receiveUpload(new Request("http://a/", words), room, "")).rejects.toMatchObject({
      init: { status: 400 },
    });
    const long = new URLSearchParams({ title: "x".repeat(maxTextBytes) });
    await expect(
      receiveUpload(new Request("http://a/", { method: "POST", body: long }), room, ""),
    ).rejects.toMatchObject({ init: { status: 413 } });
  });
});
