import { describe, expect, it } from "vitest";
import { readMultipart } from "./multipart.server.ts";

async function encodeForm(
  form: FormData,
): Promise<{ bytes: Buffer<ArrayBuffer>; type: string; boundary: string }> {
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  return {
    bytes: Buffer.from(await request.arrayBuffer()),
    type,
    boundary: type.split("boundary=")[1] ?? "",
  };
}

async function fields(form: FormData): Promise<unknown[]> {
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === "string"
        ? [name, value]
        : [name, value.name, value.type, [...(await value.bytes())]],
    ),
  );
}

describe("a form with files", () => {
  it("is parsed like the platform's own parser does", async () => {
    const form = new FormData();
    form.append("title", "Zwölf Möwen 🕊");
    form.append("title", "");
    form.append('a "quoted"\nname', "--\r\n--\r\n\r\n");
    form.append(
      "image",
      new File([Uint8Array.from([0, 13, 10, 45, 45, 255, 13, 10])], 'möwe "1".jpg', {
        type: "image/jpeg",
      }),
    );
    form.append("image", new File([], ""));
    form.append("bom", "\ufeffx");
    const { bytes, type, boundary } = await encodeForm(form);
    const platform = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
    const ours = readMultipart(bytes, boundary);
    expect(ours).not.toBeNull();
    expect(await fields(ours ?? new FormData())).toEqual(await fields(platform));
  });

  it("is refused if it is cut off at any point", async () => {
    const form = new FormData();
    form.append("title", "x");
    form.append("image", new File(["y"], "y.png", { type: "image/png" }));
    const { bytes, boundary } = await encodeForm(form);
    const end = bytes.length - 2;
    for (let length = 0; length < end; length += 1)
      expect(readMultipart(bytes.subarray(0, length), boundary), `${length} bytes`).toBeNull();
    expect(readMultipart(bytes.subarray(0, end), boundary)).not.toBeNull();
  });

  it.each([
    ["no boundary", "hello"],
    ["another boundary", "--y\r\n\r\n--y--\r\n"],
    ["a part without a name", "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n"],
    ["a part without headers", "--x\r\n\r\na\r\n--x--\r\n"],
    [
      "an end in the middle of a line",
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\na\r\n--xy\r\n',
    ],
  ])("is refused with %s", (_name, text) => {
    expect(readMultipart(Buffer.from(text), "x")).toBeNull();
  });

  it("may have no fields at all", () => {
    expect([...(readMultipart(Buffer.from("--x--\r\n"), "x") ?? ["null"])]).toEqual([]);
  });
});
