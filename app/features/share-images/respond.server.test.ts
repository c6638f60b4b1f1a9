import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { readShippedSite } from "../../../tests/support/shipped-site.ts";
import { endlessText, runUntilTooSlow } from "../../../tests/support/worker-pool.ts";
import { createLog } from "../../lib/log.ts";
import type { ShareCard } from "../../platform/share-card.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { describeShareImage } from "./describe.server.ts";
import { createShareImages } from "./respond.server.ts";

let site: SiteContent;
beforeAll(async () => {
  site = await readShippedSite();
});

const card: ShareCard = {
  label: "Community",
  title: "A Crab Supper in the Alley",
  lines: ["November 15, 2026"],
  image: null,
  mark: null,
  dateTile: null,
};

type Cards = { get(key: string): ShareCard | undefined };

async function open(cards: Cards, removed = new Set<string>()) {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const mark = sharp({ create: { width: 64, height: 64, channels: 3, background: "#12263f" } });
  const { respond } = createShareImages(
    { site, log, runInWorker: runUntilTooSlow },
    {
      findCard: async (kind, id) => cards.get(`${kind}/${id}`) ?? null,
      cacheFolder: join(folder.path, "share"),
      readImage: async (path) => (path.includes("gone") ? null : mark.png().toBuffer()),
      wasRemoved: async (path) => removed.has(path),
    },
  );
  return {
    lines,
    pathOf: (id: string) =>
      describeShareImage(site, { kind: "news", id, card: cards.get(`news/${id}`) ?? card }).path,
    request(path: string, ifNoneMatch: string | null = null) {
      const [, , kind = "", id = "", file = ""] = path.split("/").map(decodeURIComponent);
      return respond({ kind, id, file }, { ifNoneMatch, ipAddress: "192.0.2.1" });
    },
  };
}

describe("the URL of a share image", () => {
  it("returns the image, which caches may keep for long", async () => {
    const { request, pathOf } = await open(new Map([["news/crabs & co", card]]));
    const path = pathOf("crabs & co");
    const response = await request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/png");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=604800, immutable");
    const again = await request(path, response.headers.get("ETag"));
    expect(again.status).toBe(304);
  });

  it("changes with the content, and an old one redirects to the current one", async () => {
    const cards = new Map([["news/crabs", card]]);
    const { request, pathOf } = await open(cards);
    const oldPath = pathOf("crabs");
    cards.set("news/crabs", { ...card, mark: "Canceled" });
    expect(pathOf("crabs")).not.toBe(oldPath);
    for (const path of [oldPath, "/share/news/crabs/x.png", "/share/news/crabs/"]) {
      const response = await request(path);
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toBe(pathOf("crabs"));
    }
  });

  it("is not found if there is no such page, or not any more", async () => {
    const cards = new Map([["news/crabs", card]]);
    const { request, pathOf } = await open(cards);
    expect((await request(pathOf("crabs"))).status).toBe(200);
    const paths = [
      "/share/news/other/x.png",
      "/share/blog/crabs/x.png",
      "/share/books/crabs/x.png",
    ];
    for (const path of paths) expect((await request(path)).status).toBe(404);
    expect((await request(`/share/news/${"x".repeat(500)}/x.png`)).status).toBe(404);
    const path = pathOf("crabs");
    cards.delete("news/crabs");
    expect((await request(path)).status).toBe(404);
  });

  it("asks to try again later if the content of the page cannot be read", async () => {
    const { request, lines } = await open({
      get: () => {
        throw new Error("the backend is down");
      },
    });
    const response = await request("/share/blog/crabs/x.png");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(lines.join("")).toContain("the backend is down");
  });

  it("redirects to the site's general image if drawing takes too long", async () => {
    const title = `The debate goes on, and ${endlessText}`;
    const { request, pathOf, lines } = await open(new Map([["news/debate", { ...card, title }]]));
    const response = await request(pathOf("debate"));
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toMatch(/^\/art\/share\.png/);
    expect(lines.join("")).toContain("share_image.failed");
  });

  it("changes when the newsroom takes down the photo that a post names", async () => {
    const image = { path: "/photos/news/pier.jpg", alt: "" };
    const cards = new Map<string, ShareCard>([["news/pier", { ...card, image }]]);
    const removed = new Set<string>();
    const { request, pathOf } = await open(cards, removed);
    const path = pathOf("pier");
    const before = await request(path);
    expect(before.headers.get("Cache-Control")).toBe("public, max-age=604800, immutable");
    removed.add(image.path);
    const after = await request(path, before.headers.get("ETag"));
    cards.set("news/pier", card);
    expect([after.status, after.headers.get("Location")]).toEqual([302, pathOf("pier")]);
    expect((await request(pathOf("pier"))).status).toBe(200);
  });

  it("may be cached only briefly while its photo is missing", async () => {
    const withPhoto = { ...card, image: { path: "/photos/news/gone.jpg", alt: "" } };
    const { request, pathOf } = await open(new Map([["news/crabs", withPhoto]]));
    const response = await request(pathOf("crabs"));
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
    expect(response.headers.get("ETag")).toBeNull();
  });
});

it("the description of a share image says what it shows", () => {
  const { alt, width, height } = describeShareImage(site, {
    kind: "events",
    id: "supper",
    card: { ...card, image: { path: "/art/crab-supper.svg", alt: "A long table." } },
  });
  expect({ width, height }).toEqual({ width: 1200, height: 630 });
  expect(alt).toBe("A Crab Supper in the Alley. Community, November 15, 2026. A long table.");
  const long = { ...card, title: "x ".repeat(5_000) };
  expect(
    describeShareImage(site, { kind: "news", id: "a", card: long }).alt.length,
  ).toBeLessThanOrEqual(300);
});
