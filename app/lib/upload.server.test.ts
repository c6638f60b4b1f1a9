import { describe, expect, it } from "vitest";
import { maxTextBytes, readUpload } from "./upload.server.ts";

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
  it("waits while four others are being taken in, and one without does not", async () => {
    const four = await Promise.all(
      [1, 2, 3, 4].map(async () => readUpload(await request(maxTextBytes), room)),
    );
    let isIn = false;
    const fifth = readUpload(await request(maxTextBytes), room).then((upload) => {
      isIn = true;
      return upload;
    });
    expect(await readUpload(await request(10), room)).toMatchObject({ kind: "whole" });
    expect(isIn).toBe(false);
    four[0]?.done();
    four[0]?.done();
    expect((await fifth).form.get("file")).toBeInstanceOf(File);
    for (const { done } of [...four, await fifth]) done();
  });

  it("that is too large gives its words, and leaves its place to others", async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const { kind, form } = await readUpload(await request(room), room);
      expect([kind, form.get("title"), form.get("file")]).toEqual(["too-large", "The cat", null]);
    }
  });

  it("that does not say its length is counted as it comes", async () => {
    const form = new FormData();
    form.set("title", "The cat");
    form.set("file", new Blob([new Uint8Array(room)]), "cat.jpg");
    const endless = new Request("http://a/", { method: "POST", body: form });
    expect(await readUpload(endless, room)).toMatchObject({ kind: "too-large" });
  });

  it("or none, that is no form, is the sender's mistake", async () => {
    const words = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
    await expect(readUpload(new Request("http://a/", words), room)).rejects.toMatchObject({
      init: { status: 400 },
    });
    const long = new URLSearchParams({ title: "x".repeat(maxTextBytes) });
    await expect(
      readUpload(new Request("http://a/", { method: "POST", body: long }), room),
    ).rejects.toMatchObject({ init: { status: 413 } });
  });
});
