import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";

let city: TestCity;
beforeAll(async () => {
  city = await startCity({
    "news/duckpins.md": (source) => source.replace("---\n", "---\ndraft: true\n"),
    "news/lighthouse.md": (source) => source.replace(/^date: .*$/m, "date: 2099-01-01"),
  });
});
afterAll(() => city.close());

/** Reads the path of a page's share image from the head of the page. */
async function readSharePath(page: string): Promise<string> {
  const html = await (await fetch(city.server.url + page)).text();
  return /property="og:image" content="https:\/\/[^/"]+(\/[^"]+)"/.exec(html)?.[1] ?? "";
}

const request = (path: string) => fetch(city.server.url + path, { redirect: "manual" });

async function readImage(path: string) {
  const response = await request(path);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBeLessThanOrEqual(200_000);
  const { format, width, height } = await sharp(bytes).metadata();
  expect({ format, width, height }).toEqual({ format: "png", width: 1200, height: 630 });
  return bytes;
}

describe("a link to one of our pages", () => {
  it.each(["/news/marble-steps", "/blog/snowballs-explained", "/events/book-swap"])(
    "to %s comes with an image of 1200 × 630 pixels",
    async (page) => {
      const path = await readSharePath(page);
      expect(path).toContain(`/share${page}/`);
      await readImage(path);
    },
  );

  it("to a post comes with the same image when the browser has loaded the post", async () => {
    const path = await readSharePath("/blog/snowballs-explained");
    const publicKey = /publicKey: (\S+)/.exec(
      await readFile(join(city.siteFolder, "blog.yaml"), "utf8"),
    )?.[1];
    const details = await fetch(
      `${city.server.url}/functions/v1/get_details?slug=snowballs-explained`,
      { headers: { Authorization: `Bearer ${publicKey}` } },
    );
    expect(await details.json()).toMatchObject({ shareImage: { path, width: 1200, height: 630 } });
  });

  it.each(["/share/news/duckpins/x.png", "/share/news/lighthouse/x.png", "/share/news/no/x.png"])(
    "shows nothing of a draft or a story of the future: %s",
    async (path) => {
      expect((await request(path)).status).toBe(404);
    },
  );

  it("shows the photo of a story until the newsroom removes it", async () => {
    const oldPath = await readSharePath("/news/trash-wheel");
    const noise = { type: "gaussian" as const, mean: 60, sigma: 20 };
    const photo = await sharp({
      create: { width: 1_500, height: 1_000, channels: 3, background: "#000", noise },
    })
      .tint("#2f6f7e")
      .jpeg({ quality: 95 })
      .toBuffer();
    await writeFile(join(city.siteFolder, "news/harbor.jpg"), photo);
    await city.edit("news/trash-wheel.md", (source) =>
      source.replace(/file: trash-wheel\.svg/, "file: harbor.jpg"),
    );
    await expect.poll(() => readSharePath("/news/trash-wheel")).not.toBe(oldPath);
    const path = await readSharePath("/news/trash-wheel");
    const bytes = await readImage(path);
    const panel = await sharp(bytes)
      .extract({ left: 700, top: 50, width: 400, height: 500 })
      .resize(1, 1)
      .raw()
      .toBuffer();
    const [red = 0, , blue = 0] = panel;
    expect(blue).toBeGreaterThan(red + 10);
    const old = await request(oldPath);
    expect(old.headers.get("Location")).toBe(path);
    await rm(join(city.siteFolder, "news/harbor.jpg"));
    await expect.poll(async () => bytes.equals(await readImage(path))).toBe(false);
  });

  it("still has an image after an operator has deleted the cache", async () => {
    const path = await readSharePath("/news/marble-steps");
    const folder = join(city.dataDir, "cache/share");
    expect((await readdir(folder)).length).toBeGreaterThanOrEqual(3);
    await rm(folder, { recursive: true });
    await readImage(path);
  });
});
