import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { serveStaticFiles } from "./static-files.ts";

const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${"<g/>".repeat(200)}</svg>`;
const video = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));

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
    await writeFile(join(folder.path, "art/video.mp4"), video);
    await writeFile(join(folder.path, "art/.secret"), "hidden");
    await writeFile(join(folder.path, "outside.txt"), "outside");
    await symlink("../outside.txt", join(folder.path, "art/link.txt"));
    await symlink("crab.svg", join(folder.path, "art/same-crab.svg"));
    app.get(
      "/art/*",
      serveStaticFiles({
        prefix: "/art/",
        folder: join(folder.path, "art"),
        cacheControl: "public, max-age=600",
      }),
    );
    app.get("*", (context) => context.text("a page"));
  });
  afterAll(() => folder.remove());

  it("are compressed for readers whose browser supports it, each encoding with its own ETag", async () => {
    const [plain, zipped, brotli] = await Promise.all([
      get("/art/crab.svg"),
      get("/art/crab.svg", { "accept-encoding": "gzip" }),
      get("/art/crab.svg", { "accept-encoding": "gzip, br;q=1.0" }),
    ]);
    expect((await bytes(plain)).toString()).toBe(drawing);
    expect(gunzipSync(await bytes(zipped)).toString()).toBe(drawing);
    expect(brotliDecompressSync(await bytes(brotli)).toString()).toBe(drawing);
    const etags = [plain, zipped, brotli].map((response) => response.headers.get("etag"));
    expect(new Set(etags).size).toBe(3);
    expect(plain.headers.get("vary")).toBe("Accept-Encoding");
  });

  it("are not sent in Brotli to a reader whose browser refuses it", async () => {
    const response = await get("/art/crab.svg", { "accept-encoding": "br;q=0.0, gzip" });
    expect(response.headers.get("content-encoding")).toBe("gzip");
  });

  it("are not sent again to a reader whose browser has cached them", async () => {
    const etag = (await get("/art/crab.svg")).headers.get("etag") ?? "";
    const response = await get("/art/crab.svg", { "if-none-match": `"other", W/${etag}` });
    expect(response.status).toBe(304);
    expect(await bytes(response)).toHaveLength(0);
  });

  it("have the same headers for HEAD as for GET", async () => {
    const response = await get("/art/video.mp4", {}, "HEAD");
    expect(response.headers.get("content-length")).toBe("1000");
    expect(await bytes(response)).toHaveLength(0);
  });

  it.each([
    ["bytes=0-99", 0, 99],
    ["bytes=900-", 900, 999],
    ["bytes=-50", 950, 999],
    ["bytes=990-5000", 990, 999],
  ])("are sent in parts for a range request: %s", async (range, first, last) => {
    const response = await get("/art/video.mp4", { range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${last}/1000`);
    expect(await bytes(response)).toEqual(video.subarray(first, last + 1));
  });

  it("are sent in full for an invalid range, and for a range in a HEAD request", async () => {
    expect((await get("/art/video.mp4", { range: "bytes=5-2" })).status).toBe(200);
    expect((await get("/art/video.mp4", { range: "bytes=0-9" }, "HEAD")).status).toBe(200);
  });

  it("respond with 416 to a range beyond the end", async () => {
    const response = await get("/art/video.mp4", { range: "bytes=2000-" });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */1000");
  });

  it("are sent in full when the range belongs to an older version", async () => {
    const response = await get("/art/video.mp4", { range: "bytes=0-9", "if-range": '"older"' });
    expect(response.status).toBe(200);
    expect(await bytes(response)).toHaveLength(1_000);
  });

  it("change as soon as an editor replaces an image", async () => {
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
    "/art/link.txt",
  ])("do not include %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe("Not found.\n");
  });

  it("can be links to other files of the folder", async () => {
    expect((await bytes(await get("/art/same-crab.svg"))).toString()).toBe(drawing);
  });

  it("leave all other paths to the next handler", async () => {
    expect(await (await get("/about")).text()).toBe("a page");
  });
});
