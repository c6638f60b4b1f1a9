import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFieldCounter, maxFormFields, receiveBody } from "./form-body.server.ts";
import { defaultBodyLimits } from "./incoming-bodies.server.ts";

const multipart = "multipart/form-data; boundary=----WebKitFormBoundaryAbc123";
const urlEncoded = "application/x-www-form-urlencoded";
const part = (name: string) =>
  `------WebKitFormBoundaryAbc123\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
const parts = (count: number) => `${part("a").repeat(count)}------WebKitFormBoundaryAbc123--\r\n`;

function isRefused(
  type: string,
  body: string | Buffer,
  pieceBytes = Number.POSITIVE_INFINITY,
): boolean {
  const counter = createFieldCounter(type);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += pieceBytes)
    counter.add(bytes.subarray(at, at + pieceBytes));
  return counter.isRefused;
}

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
    ["a file full of dashes", multipart, part("a").replace("x", "-".repeat(100_000)), false],
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
    expect([isRefused(type, body), isRefused(type, body, 7)]).toEqual([expected, expected]);
  });

  it("is searched once, whatever its size", () => {
    // The body repeats the delimiter without its last letter, the worst case for a search.
    const body = Buffer.from(part("a") + "------WebKitFormBoundaryAbc12".repeat(100_000));
    const search = vi.spyOn(Buffer.prototype, "indexOf");
    const copy = vi.spyOn(Buffer, "concat");
    onTestFinished(() => void vi.restoreAllMocks());
    expect(isRefused(multipart, body, 65_536)).toBe(false);
    const searchedBytes = search.mock.contexts.reduce((sum, bytes) => sum + bytes.length, 0);
    expect(searchedBytes).toBeGreaterThanOrEqual(body.length);
    expect(searchedBytes).toBeLessThan(body.length * 1.2);
    const copiedBytes = copy.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    expect(copiedBytes).toBeLessThan(body.length * 1.2);
  });
});

it("the seventeenth form that one visitor sends at the same time is refused, and no other visitor's", async () => {
  const senders: ReadableStreamDefaultController[] = [];
  const send = (address: string) => {
    const body = new ReadableStream({ start: (controller) => void senders.push(controller) });
    const init = { method: "POST", body, duplex: "half" };
    const request = new Request("http://localhost/", init);
    return receiveBody(request, { type: urlEncoded, room: 100, maxReadBytes: 100, address });
  };
  const sixteen = Array.from({ length: defaultBodyLimits.bodiesPerVisitor }, () =>
    send("192.0.2.1"),
  );
  expect(await send("192.0.2.1")).toMatchObject({ kind: "refused", status: 429 });
  const other = send("192.0.2.2");
  for (const sender of senders) sender.close();
  for (const body of await Promise.all([...sixteen, other])) {
    expect(body.kind).toBe("whole");
    if (body.kind !== "refused") body.end();
  }
});
