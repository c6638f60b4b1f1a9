import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { storyImages } from "../../stories/readers/schema.server.ts";
import { isUuid } from "./model.ts";

/** An image of a reader's story in any state, for an editor. Nothing stores the response. */
export async function imageResponse(db: Database, id: string): Promise<Response> {
  const [image] = isUuid(id)
    ? await db.select({ bytes: storyImages.bytes }).from(storyImages).where(eq(storyImages.id, id))
    : [];
  if (!image) return new Response("This image was not found.\n", { status: 404 });
  return new Response(new Uint8Array(image.bytes), { headers: { "Content-Type": "image/webp" } });
}

/** The ids of those stories that have an image without a description. */
export async function findUndescribed(db: Database, stories: { id: string }[]): Promise<string[]> {
  const { storyId, alt } = storyImages;
  const ids = stories.map(({ id }) => id);
  const rows = await db
    .selectDistinct({ storyId })
    .from(storyImages)
    .where(and(inArray(storyId, ids), eq(alt, "")));
  return rows.map((row) => row.storyId);
}
