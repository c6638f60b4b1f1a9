import { createHmac, timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { storyPreviews } from "../schema.server.ts";

/** How long a preview link works. */
export const previewDays = 7;
const previewMs = previewDays * 24 * 60 * 60 * 1000;

/** Creates the path of a preview, signed for this story and the time it expires. */
export async function createPreviewPath(
  db: Database,
  id: string,
  now: Date,
): Promise<{ path: string; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + previewMs);
  const time = expiresAt.getTime().toString(36);
  const signature = await sign(db, id, time);
  return { path: `/preview/${id}/${time}.${signature}`, expiresAt };
}

/** Returns until when a token shows the preview of a story, or null if it does not. */
export async function checkPreviewToken(
  db: Database,
  id: string,
  token: string,
  now: Date,
): Promise<Date | null> {
  const [, time = "", signature = ""] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  const expiresAt = new Date(Number.parseInt(time, 36));
  if (!(expiresAt > now)) return null;
  const expected = Buffer.from(await sign(db, id, time));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected)
    ? expiresAt
    : null;
}

/** Ends all preview links of a story that were created so far. */
export async function endPreviewLinks(db: Database, id: string): Promise<void> {
  await db
    .insert(storyPreviews)
    .values({ id, generation: 1 })
    .onConflictDoUpdate({
      target: storyPreviews.id,
      set: { generation: sql`${storyPreviews.generation} + 1` },
    });
}

async function sign(db: Database, id: string, time: string): Promise<string> {
  const [row] = await db
    .select({ generation: storyPreviews.generation })
    .from(storyPreviews)
    .where(eq(storyPreviews.id, id));
  const key = await ensureSecret(db, "previews");
  return createHmac("sha256", key)
    .update(`${id} ${row?.generation ?? 0} ${time}`)
    .digest("base64url");
}
