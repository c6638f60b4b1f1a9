import type { Services } from "../../../../platform/services.ts";
import { changeEventState } from "../../../events/desk-events.server.ts";
import { changeFileNote } from "../../../file-notes/notes.server.ts";
import type { Editor } from "../../files.server.ts";
import { writeLog } from "../../log/log.server.ts";
import { holdDraftOf } from "../../write/draft-of-item.server.ts";
import type { EventAction } from "../model.ts";
import { findDeskEvent } from "./find.server.ts";

type Change = { id: string; action: EventAction; editor: Editor };

/**
 * Takes an event down or publishes it again, with a line in the log. Returns false if there is no
 * such event.
 */
export async function changeDeskEvent(
  services: Pick<Services, "db" | "site" | "clock">,
  { id, action, editor }: Change,
): Promise<boolean> {
  const event = await findDeskEvent(services, id);
  if (!event) return false;
  const isDown = action === "down";
  await services.db.transaction(async (tx) => {
    if (event.isRow) await changeEventState(tx, id, isDown ? "down" : "approved", services.clock());
    // An import writes the rows of calendars again, so the decision is stored beside them.
    else await changeFileNote(tx, "event", id, { isDown });
    if (event.isRow && isDown) await holdDraftOf(tx, "event", id);
    await writeLog(tx, services.clock, editor, {
      action: isDown ? "took down" : "published again",
      kind: "event",
      items: [id],
      title: event.title,
    });
  });
  return true;
}
