import { and, eq, inArray } from "drizzle-orm";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";
import { writeLog } from "../log/log.server.ts";
import { countItems, type ItemRef, idsOf } from "./model.ts";
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
    const back = { state: "waiting" as const, decidedAt: null };
    const { id: storyId, state: storyState } = storySubmissions;
    const stories = await tx
      .update(storySubmissions)
      .set(back)
      .where(and(inArray(storyId, idsOf(refs, "story")), eq(storyState, "rejected")))
      .returning({ id: storyId });
    const { id: eventId, state: eventState } = eventSubmissions;
    const events = await tx
      .update(eventSubmissions)
      .set(back)
      .where(and(inArray(eventId, idsOf(refs, "event")), eq(eventState, "rejected")))
      .returning({ id: eventId });
    const { id: messageId, state: messageState } = contactMessages;
    const messages = await tx
      .update(contactMessages)
      .set({ state: "new", doneAt: null })
      .where(and(inArray(messageId, idsOf(refs, "message")), eq(messageState, "rejected")))
      .returning({ id: messageId });
    const later = [...stories, ...events, ...messages].map(({ id }) => id);
    const restored = [...undone, ...later];
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
