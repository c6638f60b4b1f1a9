import { createHash, timingSafeEqual } from "node:crypto";
import { eq, lt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { matchesEtag } from "../../../lib/http/if-none-match.server.ts";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { imageType } from "../../../lib/images/image-type.server.ts";
import type { ToImagePath } from "../../../lib/text/untrusted-markdown.server.ts";
import type { Services } from "../../../platform/services.ts";
import { blogImages } from "../schema.server.ts";
import { imagePathWith, signName } from "./image-url.server.ts";

/** Asked for once a process; the secret itself never changes. */
const keys = new WeakMap<Database, Promise<Buffer>>();

export function imageKey(db: Database): Promise<Buffer> {
  const known = keys.get(db);
  if (known) return known;
  const reading = ensureSecret(db, "blog-pictures");
  keys.set(db, reading);
  reading.catch(() => keys.delete(db));
  return reading;
}

export async function readImagePath(db: Database, origin: string): Promise<ToImagePath> {
  return imagePathWith(await imageKey(db), origin);
}

/** The link behind an address that we have signed; null for any other. */
async function readSignedUrl(
  db: Database,
  signature: string,
  name: string,
): Promise<string | null> {
  const expected = Buffer.from(signName(await imageKey(db), name));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return Buffer.from(name, "base64url").toString("utf8");
}

const maxImageBytes = 3 * 1024 * 1024;
const fetchTimeoutMs = 10_000;
/** A picture that could not be had is asked for again after this time. */
const retryDelayMs = 10 * 60_000;
const imageLifetimeDays = 30;

type ImageServices = Pick<Services, "db" | "clock" | "fetch">;
type StoredImage = { type: string; bytes: Uint8Array };

/** Several readers who open a post at the same moment wait for one fetch. */
const fetching = createInFlight<StoredImage | null>();

/** The outside picture behind an address that we have given out. */
export async function imageResponse(
  request: Request,
  { signature, name }: { signature: string; name: string },
  services: ImageServices,
): Promise<Response> {
  const link = await readSignedUrl(services.db, signature, name);
  const picture = link === null ? null : await loadImage(link, services);
  if (!picture) {
    // The address itself will stay; only what is behind it may come back.
    return new Response("This picture is not there.\n", {
      status: 404,
      headers: { "Cache-Control": link === null ? "no-store" : "public, max-age=600" },
    });
  }
  const etag = `"${createHash("sha256").update(picture.bytes).digest("base64url").slice(0, 22)}"`;
  const headers = {
    ETag: etag,
    "Content-Type": picture.type,
    "Cache-Control": "public, max-age=86400, stale-while-revalidate=604800",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (matchesEtag(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(picture.bytes), { headers });
}

/**
 * Reads a picture from the database, or fetches and stores it. Null if it could not be fetched
 * lately.
 */
async function loadImage(link: string, services: ImageServices): Promise<StoredImage | null> {
  const { db, clock } = services;
  const [known] = await db.select().from(blogImages).where(eq(blogImages.url, link));
  if (known?.type && known.bytes) return { type: known.type, bytes: known.bytes };
  if (known && clock().getTime() - known.fetchedAt.getTime() < retryDelayMs) return null;
  return fetching.share(link, () => fetchImage(link, services));
}

async function fetchImage(
  link: string,
  { db, clock, fetch }: ImageServices,
): Promise<StoredImage | null> {
  const answer = await fetch(link, {
    headers: { Accept: "image/avif, image/webp, image/png, image/jpeg, image/gif" },
    maxBytes: maxImageBytes,
    timeoutMs: fetchTimeoutMs,
  });
  const type = answer.kind === "response" && answer.status === 200 ? imageType(answer.body) : null;
  const picture = type !== null && answer.kind === "response" ? { type, bytes: answer.body } : null;
  const row = { url: link, type: null, bytes: null, ...picture, fetchedAt: clock() };
  await db.insert(blogImages).values(row).onConflictDoUpdate({ target: blogImages.url, set: row });
  return picture;
}

/** Pictures that somebody still looks at are fetched anew. */
export async function deleteOldImages(db: Database, clock: Clock): Promise<number> {
  const gone = await db
    .delete(blogImages)
    .where(lt(blogImages.fetchedAt, daysBefore(clock(), imageLifetimeDays)))
    .returning({ link: blogImages.url });
  return gone.length;
}
