import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { levelNames } from "../../alerts/describe.ts";
import { type Checked, checkLink, checkText, checkUntil } from "../../alerts/input.ts";
import { type Alert, type AlertLevel, isRunning } from "../../alerts/model.ts";
import {
  type AlertContent,
  changeAlert,
  createAlert,
  deleteAlerts,
  endAlerts,
  lockAlert,
  readAlerts,
} from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { adoptEnds, decideAlert } from "../../official-alerts/store.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { Desk } from "../services.ts";

export type AlertDesk = Desk & Pick<Services, "leadsToPage">;

/** What an editor typed or chose. */
type Typed = { text: string; link: string; level: AlertLevel; until: string | Date };
/** What is undefined stays as it is. */
type TypedChange = { [Name in keyof Typed]?: Typed[Name] | undefined };

const reject = (message: string): Checked<never> => ({ ok: false, message });

async function checkTyped(
  desk: AlertDesk,
  { text, link, level, until }: TypedChange,
): Promise<Checked<Partial<AlertContent>>> {
  const change: Partial<AlertContent> = level ? { level } : {};
  if (text !== undefined) {
    const checked = checkText(text);
    if (!checked.ok) return checked;
    change.text = checked.value;
  }
  if (link !== undefined) {
    const checked = checkLink(link);
    if (!checked.ok) return checked;
    const [path = ""] = checked.value?.split(/[?#]/) ?? [];
    if (path.startsWith("/") && !(await desk.leadsToPage(path)))
      return reject(`There is no page ${path} on this site. Check the link.`);
    change.link = checked.value;
  }
  if (typeof until === "string") {
    const checked = checkUntil(until, desk.clock(), desk.site.read(siteSettingsFile).timeZone);
    if (!checked.ok) return checked;
    change.endsAt = checked.value;
  } else if (until) change.endsAt = until;
  return { ok: true, value: change };
}

const noteEnd = ({ site }: Desk, endsAt: Date | undefined) =>
  endsAt ? `Until ${shortTimestamp(endsAt, site.read(siteSettingsFile).timeZone)}` : "";

/** Returns the alert, or why it was not published. */
export async function publishAlert(
  desk: AlertDesk,
  typed: Typed,
): Promise<Checked<AlertContent & Pick<Alert, "id">>> {
  const { db, clock, editor } = desk;
  const checked = await checkTyped(desk, typed);
  if (!checked.ok) return checked;
  const now = clock();
  const { level } = typed;
  const { text = "", link = null, endsAt = now } = checked.value;
  if ((await readAlerts(desk)).some((other) => other.text === text && isRunning(other, now)))
    return reject("An alert with this text is running. Change it, or end it first.");
  const content = { text, link, level, startsAt: now, endsAt };
  const id = await db.transaction(async (tx) => {
    const id = await createAlert(tx, content);
    await writeLog(tx, clock, editor, {
      action: "published",
      kind: level === "urgent" ? "urgent alert" : "alert",
      items: [id],
      title: text,
      note: noteEnd(desk, endsAt),
    });
    return id;
  });
  return { ok: true, value: { ...content, id } };
}

/** What a form that changes an alert overwrites. It sends this as the page showed it. */
export const describeContent = ({ text, level, link }: Pick<Alert, "text" | "level" | "link">) =>
  JSON.stringify({ text, level, link });

/**
 * Returns the changed alert, or why it was not changed: for example because somebody else has
 * changed what the editor saw (`seen`).
 */
export async function editAlert(
  desk: AlertDesk,
  alert: Alert,
  typed: TypedChange,
  seen?: string,
): Promise<Checked<Alert>> {
  const { db, clock, editor } = desk;
  const { id, issuer } = alert;
  if (issuer === "file") return reject("This alert comes from notice.yaml: change it there.");
  if (issuer === "official")
    return reject("Only the authority can change this alert. You can end it.");
  const checked = await checkTyped(desk, typed);
  if (!checked.ok) return checked;
  const changed = { ...alert, ...checked.value, updatedAt: clock() };
  const isExtended = Object.keys(checked.value).join() === "endsAt";
  return db.transaction(async (tx) => {
    const stored = seen === undefined ? null : await lockAlert(tx, id);
    if (stored && ![seen, describeContent(changed)].includes(describeContent(stored)))
      return reject(
        `Somebody else has changed this alert since you opened it. Now it says: “${stored.text}” (${levelNames[stored.level]}, ${stored.link ? `link ${stored.link}` : "no link"}). Your version is not saved yet: look at the fields below, and press “Change it” again.`,
      );
    const isRunning = await changeAlert(tx, clock, id, checked.value);
    if (isRunning)
      await writeLog(tx, clock, editor, {
        action: isExtended ? "extended" : "changed",
        kind: "alert",
        items: [id],
        title: changed.text,
        note: noteEnd(desk, checked.value.endsAt),
      });
    return isRunning ? { ok: true, value: changed } : reject(overMessage);
  });
}

export const overMessage = "This alert is over.";

/** Ends alerts now. Returns the ids of those that were ended. An official one then stays hidden. */
export const endNow = (desk: Desk, chosen: Alert[]): Promise<string[]> =>
  changeEach(desk, "ended", chosen, async (tx, ids) => {
    const ended = await endAlerts(tx, desk.clock, ids);
    await adoptEnds(tx);
    return ended;
  });

/** Removes alerts that were published by mistake. Returns the ids of those that were deleted. */
export const deleteMistakes = (desk: Desk, chosen: Alert[]): Promise<string[]> =>
  changeEach(desk, "deleted", chosen, deleteAlerts);

const changeEach = (
  { db, clock, editor }: Desk,
  action: "ended" | "deleted",
  chosen: Alert[],
  change: (tx: Database, ids: string[]) => Promise<string[]>,
): Promise<string[]> =>
  db.transaction(async (tx) => {
    const stored = chosen.filter(({ isStored }) => isStored);
    const ids = await change(
      tx,
      stored.map(({ id }) => id),
    );
    for (const { id, text } of stored)
      if (ids.includes(id))
        await writeLog(tx, clock, editor, { action, kind: "alert", items: [id], title: text });
    return ids;
  });

/** Shows or hides an official alert. Returns false if it is not open for that. */
export const decideOfficial = (
  desk: Desk,
  key: string,
  decision: "approved" | "hidden",
  which?: "any",
): Promise<boolean> =>
  desk.db.transaction(async (tx) => {
    const alert = await decideAlert(tx, desk, key, decision, which);
    if (alert)
      await writeLog(tx, desk.clock, desk.editor, {
        action: decision,
        kind: "official alert",
        items: [key],
        title: alert.headline,
      });
    return alert !== null;
  });
