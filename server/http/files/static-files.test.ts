import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { staticFiles } from "./static-files.ts";

const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${"<g/>".repeat(200)}</svg>`;
const film = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));

describe("static files", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const app = new Hono();
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.request(path, { method, headers });
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "art"));
    await writeFile(join(folder.path, "art/crab.svg"), drawing);
    await writeFile(join(folder.path, "art/film.mp4"), film);
    await writeFile(join(folder.path, "art/.secret"), "hidden");
    await writeFile(join(folder.path, "outside.txt"), "outside");
    app.use(
      staticFiles({
        prefix: "/art/",
        folder: join(folder.path, "art"),
        cacheControl: "public, max-age=600",
      }),
    );
    app.get("*", (context) => context.text("a page"));
  });
  afterAll(() => folder.remove());

  it("are compressed for those who can read it, each form with a tag of its own", async () => {
    const [plain, zipped, brotli] = await Promise.all([
      get("/art/crab.svg"),
      get("/art/crab.svg", { "accept-encoding": "gzip" }),
      get("/art/crab.svg", { "accept-encoding": "gzip, br;q=1.0" }),
    ]);
    expect((await bytes(plain)).toString()).toBe(drawing);
    expect(gunzipSync(await bytes(zipped)).toString()).toBe(drawing);
    expect(brotliDecompressSync(await bytes(brotli)).toString()).toBe(drawing);
    expect(new Set([plain, zipped, brotli].map((answer) => answer.headers.get("etag"))).size).toBe(
      3,
    );
    expect(plain.headers.get("vary")).toBe("Accept-Encoding");
  });

  it("respect a reader who refuses brotli", async () => {
    const answer = await get("/art/crab.svg", { "accept-encoding": "br;q=0.0, gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
  });

  it("are not sent again to a reader who has them", async () => {
    const etag = (await get("/art/crab.svg")).headers.get("etag") ?? "";
    const answer = await get("/art/crab.svg", { "if-none-match": `"other", W/${etag}` });
    expect(answer.status).toBe(304);
    expect(await bytes(answer)).toHaveLength(0);
  });

  it("answer HEAD with the headers of GET", async () => {
    const answer = await get("/art/film.mp4", {}, "HEAD");
    expect(answer.headers.get("content-length")).toBe("1000");
    expect(await bytes(answer)).toHaveLength(0);
  });

  it.each([
    ["bytes=0-99", 0, 99],
    ["bytes=900-", 900, 999],
    ["bytes=-50", 950, 999],
    ["bytes=990-5000", 990, 999],
  ])("send a film in parts: %s", async (range, first, last) => {
    const answer = await get("/art/film.mp4", { range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes ${first}-${last}/1000`);
    expect(await bytes(answer)).toEqual(film.subarray(first, last + 1));
  });

  it("send the whole for a range that makes no sense, and for one asked with HEAD", async () => {
    expect((await get("/art/film.mp4", { range: "bytes=5-2" })).status).toBe(200);
    expect((await get("/art/film.mp4", { range: "bytes=0-9" }, "HEAD")).status).toBe(200);
  });

  it("say so when a part lies beyond the end", async () => {
    const answer = await get("/art/film.mp4", { range: "bytes=2000-" });
    expect(answer.status).toBe(416);
    expect(answer.headers.get("content-range")).toBe("bytes */1000");
  });

  it("send the whole when the part is of an older film", async () => {
    const answer = await get("/art/film.mp4", { range: "bytes=0-9", "if-range": '"older"' });
    expect(answer.status).toBe(200);
    expect(await bytes(answer)).toHaveLength(1_000);
  });

  it("follow a picture that an editor exchanges", async () => {
    await writeFile(join(folder.path, "art/crab.svg"), "<svg/>");
    expect((await bytes(await get("/art/crab.svg"))).toString()).toBe("<svg/>");
    await writeFile(join(folder.path, "art/crab.svg"), drawing);
  });

  it.each([
    "/art/none.svg",
    "/art/",
    "/art/..%2foutside.txt",
    "/art/%2e%2e%2foutside.txt",
    "/art/.secret",
    "/art/a%5cb",
  ])("have nothing at %s", async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe("Not found.\n");
  });

  it("leave every other address alone", async () => {
    expect(await (await get("/about")).text()).toBe("a page");
  });
});
