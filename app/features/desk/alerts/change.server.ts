import { shortTimestamp } from "../../../lib/dates.ts";
import { readField } from "../../../lib/form.ts";
import type { Services } from "../../../platform/services.ts";
import { checkLink, checkText, checkUntil } from "../../alerts/input.ts";
import { alertLevels, isOver } from "../../alerts/model.ts";
import { createAlert, endAlerts, extendAlert, readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { decideWaiting } from "../../official-alerts/waiting.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { alertActions, type TypedAlert } from "./model.ts";

const hourMs = 3_600_000;

/** What is wrong with the form, and what the editor typed. Null if the change was made. */
type Refused = { message: string; typed: TypedAlert } | null;

/** Does what an editor wants: puts up an alert, extends one or ends one. */
export async function changeAlerts(
  services: Services,
  editor: Editor,
  form: FormData,
): Promise<Refused> {
  const typed = {
    text: readField(form, "text"),
    link: readField(form, "link"),
    hours: readField(form, "hours"),
    until: readField(form, "until"),
  };
  const refuse = (message: string) => ({ message, typed });
  switch (alertActions.find((each) => each === readField(form, "action"))) {
    case "notice":
    case "urgent":
      return putUp(services, editor, readField(form, "action"), typed);
    case "extend":
    case "end":
      return (await changeOne(services, editor, form)) ? null : refuse("This alert is over.");
    case "approve":
    case "hide":
      return (await decideOfficial(services, editor, form))
        ? null
        : refuse("This alert no longer waits for a decision.");
    default:
      return refuse("Choose what to do.");
  }
}

async function putUp(
  { site, db, clock }: Services,
  editor: Editor,
  wanted: string,
  typed: TypedAlert,
): Promise<Refused> {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const level = alertLevels.find((each) => each === wanted) ?? "notice";
  const text = checkText(typed.text);
  if (!text.ok) return { message: text.message, typed };
  const link = checkLink(typed.link);
  if (!link.ok) return { message: link.message, typed };
  const hours = Number(typed.hours);
  const end =
    typed.until === "" && hours > 0 && hours <= 24
      ? { ok: true as const, value: new Date(now.getTime() + hours * hourMs) }
      : checkUntil(typed.until, now, timeZone);
  if (!end.ok) return { message: end.message, typed };
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

/** Returns false if the alert is already over, or cannot be extended. */
async function changeOne(services: Services, editor: Editor, form: FormData): Promise<boolean> {
  const { site, db, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const id = readField(form, "id");
  const alert = (await readAlerts(services)).find((each) => each.id === id);
  if (!alert || isOver(alert, clock())) return false;
  const isEnd = readField(form, "action") === "end";
  const endsAt = new Date(alert.endsAt.getTime() + hourMs);
  return db.transaction(async (tx) => {
    const isChanged = isEnd
      ? (await endAlerts(tx, clock, [id])).length > 0
      : await extendAlert(tx, clock, id, endsAt);
    if (isChanged)
      await writeLog(tx, clock, editor, {
        action: isEnd ? "ended" : "extended",
        kind: "alert",
        items: [id],
        title: alert.text,
        note: isEnd ? "" : `Until ${shortTimestamp(endsAt, timeZone)}`,
      });
    return isChanged;
  });
}
