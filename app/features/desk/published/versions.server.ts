import { and, desc, eq, notExists, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";
import type { Editor } from "../files.server.ts";
import { deskVersions } from "./schema.server.ts";

type Item = { kind: "story" | "post" | "event"; id: string };

type Change = {
  /** What the item says now: everything that an editor can change. */
  fields: unknown;
  /** What it said before. It becomes the first version if there is none yet. */
  before: { fields: unknown; at: Date } | null;
  /** Such as "corrected". */
  action: string;
  at: Date;
  editor: Editor;
};

export type Version = typeof deskVersions.$inferSelect;

/** Stores what an item says after a change, in the transaction of the change. */
export async function writeVersion(
  tx: Database,
  { kind, id: item }: Item,
  { fields, before, action, at, editor }: Change,
): Promise<void> {
  const [last] = await tx
    .select({ number: deskVersions.number })
    .from(deskVersions)
    .where(and(eq(deskVersions.kind, kind), eq(deskVersions.item, item)))
    .orderBy(desc(deskVersions.number))
    .limit(1);
  let number = last?.number ?? 0;
  const insert = (version: Omit<Version, "kind" | "item" | "number">) => {
    number += 1;
    return tx.insert(deskVersions).values({ ...version, kind, item, number });
  };
  if (before && !last) await insert({ ...before, action: "published", editor: "", editorName: "" });
  await insert({ fields, action, at, editor: editor.email, editorName: editor.name });
}

/** The versions of an item, newest first. */
export const listVersions = (db: Database, { kind, id }: Item): Promise<Version[]> =>
  db
    .select()
    .from(deskVersions)
    .where(and(eq(deskVersions.kind, kind), eq(deskVersions.item, id)))
    .orderBy(desc(deskVersions.number));

/** Deletes the versions of stories that were deleted. */
export async function deleteOldVersions(db: Database): Promise<number> {
  const { id } = storySubmissions;
  const story = db
    .select({ id })
    .from(storySubmissions)
    .where(sql`${id}::text = ${deskVersions.item}`);
  const deleted = await db
    .delete(deskVersions)
    .where(and(eq(deskVersions.kind, "story"), notExists(story)))
    .returning({ number: deskVersions.number });
  return deleted.length;
}
