import { inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";
import { writeLog } from "../log/log.server.ts";
import { lockItems, toRefs } from "./before.server.ts";
import { countItems, type ItemRef, idsOf, type Kind } from "./model.ts";
import { type DecisionContext, undoRejections } from "./undo.server.ts";

/**
 * Restores what was rejected, so that it waits for a decision again. Returns how many there were.
 * As long as the rejection can be undone, this is the same as undoing it; later, the names and email
 * addresses that were deleted with it stay deleted.
 */
export async function restoreItems(
  { db, clock, editor }: Omit<DecisionContext, "site">,
  refs: ItemRef[],
): Promise<number> {
  return db.transaction(async (tx) => {
    const undone = await undoRejections(tx, clock(), refs);
    const later = toRefs(await lockItems(tx, "bin", refs));
    const back = { state: "waiting", decidedAt: null } as const;
    const isLater = (kind: Kind, { id }: { id: PgColumn }) => inArray(id, idsOf(later, kind));
    await tx.update(storySubmissions).set(back).where(isLater("story", storySubmissions));
    await tx.update(eventSubmissions).set(back).where(isLater("event", eventSubmissions));
    await tx
      .update(contactMessages)
      .set({ state: "new", doneAt: null })
      .where(isLater("message", contactMessages));
    const restored = [...undone, ...later.map(({ id }) => id)];
    const items = refs.filter(({ id }) => restored.includes(id));
    if (items.length > 0)
      await writeLog(tx, clock, editor, {
        action: "restored",
        kind: "",
        items: restored,
        title: countItems(items),
      });
    return restored.length;
  });
}
