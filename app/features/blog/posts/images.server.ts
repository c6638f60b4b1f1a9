import { createHash } from "node:crypto";
import { and, eq, inArray, lt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { respondIfChanged } from "../../../lib/http/if-none-match.server.ts";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { imageType } from "../../../lib/images/images.server.ts";
import { listStoredImages } from "../../../lib/images/stored-image.ts";
import { isSameSecret } from "../../../lib/is-same-secret.server.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { blogImages, blogPosts, postImages } from "../schema.server.ts";
import { createImagePathMapper, readImageName, signName } from "./image-paths.server.ts";

export const loadImageKey = (db: Database): Promise<Buffer> => ensureSecret(db, "blog-images");

export const loadImagePathMapper = async ({ db, site }: Pick<Services, "db" | "site">) =>
  createImagePathMapper(await loadImageKey(db), site.read(siteSettingsFile).origin);

async function readSignedUrl(db: Database, signature: string, name: string) {
  if (!isSameSecret(signature, signName(await loadImageKey(db), name))) return null;
  return readImageName(name);
}

const maxFetchedBytes = 3 * 1024 * 1024;
const fetchTimeoutMs = 10_000;
const retryDelayMs = 10 * 60_000;
const imageRetentionDays = 30;

type StoredImage = { type: string; bytes: Uint8Array };

const pendingFetches = createInFlight<StoredImage | null>();

export async function imageResponse(
  request: Request,
  { signature, name }: { signature: string; name: string },
  services: Pick<Services, "db" | "clock" | "fetch">,
): Promise<Response> {
  const url = await readSignedUrl(services.db, signature, name);
  const image = url === null ? null : await loadImage(url, services);
  if (!image) {
    // Browsers may cache the failure of a signed path only briefly: the image may be back later.
    return new Response("This image was not found.\n", {
      status: 404,
      headers: { "Cache-Control": url === null ? "no-store" : "public, max-age=600" },
    });
  }
  const etag = `"${createHash("sha256").update(image.bytes).digest("base64url").slice(0, 22)}"`;
  const ifNoneMatch = request.headers.get("if-none-match");
  return respondIfChanged(ifNoneMatch, etag, new Uint8Array(image.bytes), {
    "Content-Type": image.type,
    "Cache-Control": "public, max-age=86400, stale-while-revalidate=604800",
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
}

/**
 * Reads the image from the database, or fetches and stores it. Returns null if the image cannot be
 * fetched, or if a recent attempt failed.
 */
async function loadImage(url: string, services: Pick<Services, "db" | "clock" | "fetch">) {
  const { db, clock } = services;
  const [stored] = await db.select().from(blogImages).where(eq(blogImages.url, url));
  if (stored?.type && stored.bytes) return { type: stored.type, bytes: stored.bytes };
  if (stored && clock().getTime() - stored.fetchedAt.getTime() < retryDelayMs) return null;
  return pendingFetches.share(url, () => fetchImage(url, services));
}

async function fetchImage(
  url: string,
  { db, clock, fetch }: Pick<Services, "db" | "clock" | "fetch">,
): Promise<StoredImage | null> {
  const response = await fetch(url, {
    headers: { Accept: "image/avif, image/webp, image/png, image/jpeg, image/gif" },
    maxBytes: maxFetchedBytes,
    timeoutMs: fetchTimeoutMs,
  });
  const body = response.kind === "response" && response.status === 200 ? response.body : null;
  const type = body && imageType(body);
  const image = body && type ? { type, bytes: body } : null;
  const row = { url, type: null, bytes: null, ...image, fetchedAt: clock() };
  await db.insert(blogImages).values(row).onConflictDoUpdate({ target: blogImages.url, set: row });
  return image;
}

/** Finds an image that an editor added to a post, if readers may see it. */
export async function findPostImage(db: Database, id: string): Promise<Uint8Array | null> {
  const [image] = await db
    .select({ bytes: postImages.bytes })
    .from(postImages)
    .innerJoin(blogPosts, eq(postImages.postId, blogPosts.id))
    .where(and(eq(postImages.id, id), postImages.isShown, eq(blogPosts.state, "published")));
  return image?.bytes ?? null;
}

export async function readImageSizes(db: Database, text: string) {
  const ids = listStoredImages(text);
  const { id, width, height } = postImages;
  return ids.length === 0
    ? []
    : db.select({ id, width, height }).from(postImages).where(inArray(id, ids));
}

/** If readers still open a deleted image, the next request fetches it again. */
export const deleteOldImages = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, blogImages, lt(blogImages.fetchedAt, daysBefore(clock(), imageRetentionDays)));
