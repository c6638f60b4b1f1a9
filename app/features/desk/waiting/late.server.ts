import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { findLastAction } from "../log/log.server.ts";
import { countItems, type ItemRef } from "./model.ts";

/** What an editor decided, as the log says it. */
const decisions = ["approved", "rejected", "marked as done", "answered"];

/** The last decision about this at the desk, such as "Ana Reyes rejected it on Nov 17, 2026, 1 PM: “spam”". */
export async function findDecision(
  db: Database,
  timeZone: string,
  { id }: ItemRef,
): Promise<string | null> {
  const entry = await findLastAction(db, { items: [id], actions: decisions });
  if (!entry) return null;
  const [verb, ...rest] = entry.action.split(" ");
  const reason = entry.note && `: “${entry.note.replace(/\.$/, "")}”`;
  return `${entry.editorName} ${[verb, "it", ...rest].join(" ")} on ${shortTimestamp(entry.at, timeZone)}${reason}`;
}

/** Tells an editor about those that somebody else has decided about meanwhile. */
export async function explainLate(
  db: Database,
  timeZone: string,
  late: ItemRef[],
): Promise<string> {
  const [first] = late;
  if (!first) return "";
  const found = await findDecision(db, timeZone, first);
  if (late.length === 1)
    return found
      ? `You were not the first: ${found}.`
      : "Somebody else has just decided about it, or it was deleted.";
  return `${countItems(late)} did not wait any longer${found ? `. Of one of them: ${found}` : ""}.`;
}
