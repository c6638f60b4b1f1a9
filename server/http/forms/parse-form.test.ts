import { describe, expect, it } from "vitest";
import { maxFormFields } from "../limits.ts";
import { parseForm } from "./parse-form.ts";

const multipart = "multipart/form-data; boundary=----WebKitFormBoundaryAbc123";
const urlEncoded = "application/x-www-form-urlencoded";
const part = (name: string) =>
  `------WebKitFormBoundaryAbc123\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
const parts = (count: number) => `${part("a").repeat(count)}------WebKitFormBoundaryAbc123--\r\n`;

describe("a form whose fields are counted before it is parsed", () => {
  it.each([
    ["a hundred fields", urlEncoded, "a=1&".repeat(maxFormFields - 1), false],
    ["one field more", urlEncoded, "a=1&".repeat(maxFormFields), true],
    ["a hundred parts", multipart, parts(maxFormFields), false],
    ["two parts more", multipart, parts(maxFormFields + 2), true],
    [
      "delimiters with nothing between them",
      multipart,
      "------WebKitFormBoundaryAbc123\r\n".repeat(500),
      true,
    ],
    [
      "an endless row of closing delimiters",
      multipart,
      "------WebKitFormBoundaryAbc123--".repeat(500),
      true,
    ],
    ["a name of a megabyte", multipart, part("n".repeat(1_000_000)), true],
    ["a file full of dashes", multipart, parts(1).replace("x", "-".repeat(100_000)), false],
    [
      "a boundary that parsers interpret differently",
      'multipart/form-data; boundary="a;b"',
      "",
      true,
    ],
    ["a content type after another one", "text/plain, multipart/form-data; boundary=a", "", true],
    [
      "a boundary hidden in another parameter",
      'multipart/form-data; x="; boundary=a"; boundary=b',
      "",
      true,
    ],
  ])("%s", (_, type, body, expected) => {
    expect(parseForm(Buffer.from(body), type) instanceof FormData).toBe(!expected);
  });
});

async function encodeForm(form: FormData): Promise<{ bytes: Buffer<ArrayBuffer>; type: string }> {
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  return { bytes: Buffer.from(await request.arrayBuffer()), type };
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
    const { bytes, type } = await encodeForm(form);
    const platform = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
    const ours = parseForm(bytes, type);
    expect(ours).toBeInstanceOf(FormData);
    if (ours instanceof FormData) expect(await fields(ours)).toEqual(await fields(platform));
  });

  it("is refused if it is cut off at any point", async () => {
    const form = new FormData();
    form.append("title", "x");
    form.append("image", new File(["y"], "y.png", { type: "image/png" }));
    const { bytes, type } = await encodeForm(form);
    const end = bytes.length - 2;
    for (let length = 0; length < end; length += 1)
      expect(parseForm(bytes.subarray(0, length), type), `${length} bytes`).toBeNull();
    expect(parseForm(bytes.subarray(0, end), type)).not.toBeNull();
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
    expect(parseForm(Buffer.from(text), "multipart/form-data; boundary=x")).toBeNull();
  });

  it("may have no fields at all", () => {
    const form = parseForm(Buffer.from("--x--\r\n"), "multipart/form-data; boundary=x");
    expect([...(form ?? ["null"])]).toEqual([]);
  });
});
