import { shortTimestamp } from "../../../lib/dates.ts";
import { readField } from "../../../lib/form.ts";
import type { Services } from "../../../platform/services.ts";
import { checkLink, checkText, checkUntil } from "../../alerts/input.ts";
import { alertLevels, isOver } from "../../alerts/model.ts";
import { changeAlert, createAlert, endAlerts, readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { decideWaiting } from "../../official-alerts/waiting.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { alertActions, type RefusedAlert, type TypedAlert } from "./model.ts";

const hourMs = 3_600_000;

/**
 * Does what an editor wants: puts up an alert, changes one or ends one. Returns null if that was
 * done.
 */
export async function changeAlerts(
  services: Services,
  editor: Editor,
  form: FormData,
): Promise<RefusedAlert | null> {
  const typed = {
    text: readField(form, "text"),
    link: readField(form, "link"),
    hours: readField(form, "hours"),
    until: readField(form, "until"),
  };
  const id = readField(form, "id");
  const refuse = (message: string | null) => (message === null ? null : { message, typed, id });
  switch (alertActions.find((each) => each === readField(form, "action"))) {
    case "notice":
    case "urgent":
      return refuse(await putUp(services, editor, readField(form, "action"), typed));
    case "extend":
    case "change":
    case "end":
      return refuse(await changeOne(services, editor, form));
    case "approve":
    case "hide":
      return (await decideOfficial(services, editor, form))
        ? null
        : refuse("This alert no longer waits for a decision.");
    default:
      return refuse("Choose what to do.");
  }
}

/** Returns what is wrong with the new alert, or null. */
async function putUp(
  { site, db, clock }: Services,
  editor: Editor,
  wanted: string,
  typed: TypedAlert,
): Promise<string | null> {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const level = alertLevels.find((each) => each === wanted) ?? "notice";
  const text = checkText(typed.text);
  if (!text.ok) return text.message;
  const link = checkLink(typed.link);
  if (!link.ok) return link.message;
  const hours = Number(typed.hours);
  const end =
    typed.until === "" && hours > 0 && hours <= 24
      ? { ok: true as const, value: new Date(now.getTime() + hours * hourMs) }
      : checkUntil(typed.until, now, timeZone);
  if (!end.ok) return end.message;
  await db.transaction(async (tx) => {
    const content = { text: text.value, link: link.value, level, startsAt: now };
    const id = await createAlert(tx, { ...content, endsAt: end.value });
    await writeLog(tx, clock, editor, {
      action: "put up",
      kind: level === "urgent" ? "urgent alert" : "alert",
      items: [id],
      title: text.value,
      note: `Until ${shortTimestamp(end.value, timeZone)}`,
    });
  });
  return null;
}

/** Shows or hides an official alert. Returns false if it no longer waits. */
async function decideOfficial(
  services: Services,
  editor: Editor,
  form: FormData,
): Promise<boolean> {
  const isApproved = readField(form, "action") === "approve";
  const decision = isApproved ? "approved" : "hidden";
  return services.db.transaction(async (tx) => {
    const alert = await decideWaiting(tx, services, readField(form, "key"), decision);
    if (alert)
      await writeLog(tx, services.clock, editor, {
        action: decision,
        kind: "official alert",
        items: [alert.key],
        title: alert.headline,
      });
    return alert !== null;
  });
}

/** Extends an alert, changes its text or ends it. Returns why it cannot be changed, or null. */
async function changeOne(
  services: Services,
  editor: Editor,
  form: FormData,
): Promise<string | null> {
  const { site, db, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const id = readField(form, "id");
  const action = readField(form, "action");
  const alert = (await readAlerts(services)).find((each) => each.id === id);
  if (!alert || isOver(alert, clock())) return "This alert is over.";
  const endsAt = new Date(alert.endsAt.getTime() + (action === "extend" ? hourMs : 0));
  const text = action === "change" ? checkText(readField(form, "text")) : null;
  if (text?.ok === false) return text.message;
  const change = { endsAt, text: text?.value ?? alert.text };
  const isChanged = await db.transaction(async (tx) => {
    const found =
      action === "end"
        ? (await endAlerts(tx, clock, [id])).length > 0
        : await changeAlert(tx, clock, id, change);
    if (found)
      await writeLog(tx, clock, editor, {
        action: { end: "ended", extend: "extended" }[action] ?? "changed",
        kind: "alert",
        items: [id],
        title: change.text,
        note: action === "extend" ? `Until ${shortTimestamp(endsAt, timeZone)}` : "",
      });
    return found;
  });
  return isChanged ? null : "This alert is over.";
}
