import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { deskDrafts } from "./schema.server.ts";

/**
 * Takes back the date of a story's draft, so that a story that is taken down stays down. An editor
 * who has the draft open and publishes it is asked first, because its revision is another one.
 */
export async function holdDraftOf(tx: Database, storyId: string): Promise<void> {
  await tx
    .update(deskDrafts)
    .set({ publishAt: null, revision: sql`${deskDrafts.revision} + 1` })
    .where(eq(deskDrafts.item, storyId));
}

/** Adds a correction to a story's draft, which would otherwise publish the story without it. */
export async function correctDraftOf(
  tx: Database,
  storyId: string,
  { date, text }: Correction,
): Promise<void> {
  const isOfStory = eq(deskDrafts.item, storyId);
  const [draft] = await tx.select().from(deskDrafts).where(isOfStory).for("update");
  if (!draft) return;
  const corrections = [...draft.fields.corrections, { date, text }];
  await tx
    .update(deskDrafts)
    .set({ fields: { ...draft.fields, corrections }, revision: sql`${deskDrafts.revision} + 1` })
    .where(isOfStory);
}
