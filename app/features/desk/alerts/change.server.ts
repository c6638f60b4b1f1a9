import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { readField } from "../../../lib/form.ts";
import {
  type Checked,
  checkLink,
  checkText,
  checkUntil,
  findMissingPage,
  type Pages,
} from "../../alerts/input.ts";
import { alertLevels, isOver } from "../../alerts/model.ts";
import {
  changeAlert,
  createAlert,
  deleteAlerts,
  endAlerts,
  readAlerts,
} from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Refusal } from "../../forms/model.ts";
import { adoptEnds, decideWaiting } from "../../official-alerts/store.server.ts";
import { writeLog } from "../log/log.server.ts";
import { refuseForm } from "../model.ts";
import type { Desk } from "../services.ts";

const hourMs = 3_600_000;

type AlertDesk = Desk & Pages;

export async function changeAlerts(desk: AlertDesk, form: FormData): Promise<Refusal | null> {
  const message = await carryOut(desk, form);
  return message === null ? null : refuseForm(message, form);
}

/** Returns why something was not done, or null. So do the functions below. */
async function carryOut(desk: AlertDesk, form: FormData): Promise<string | null> {
  const action = readField(form, "action");
  switch (action) {
    case "notice":
    case "urgent":
      return putUp(desk, action, form);
    case "extend":
    case "change":
    case "end":
    case "delete":
      return changeOne(desk, action, form);
    case "approve":
      return decideOfficial(desk, "approved", form);
    case "hide":
      return decideOfficial(desk, "hidden", form);
    default:
      return "Choose what to do.";
  }
}

type Content = Checked<{ text: string; link: string | null }>;

/** Checks what an editor typed, also whether our own page exists to which the alert leads. */
async function checkContent(pages: Pages, form: FormData): Promise<Content> {
  const text = checkText(readField(form, "text"));
  if (!text.ok) return text;
  const link = checkLink(readField(form, "link"));
  if (!link.ok) return link;
  const missing = await findMissingPage(pages, link.value);
  return missing === null
    ? { ok: true, value: { text: text.value, link: link.value } }
    : { ok: false, message: `There is no page ${missing} on this site. Check the link.` };
}

async function putUp(
  desk: AlertDesk,
  level: "notice" | "urgent",
  form: FormData,
): Promise<string | null> {
  const { site, db, clock, editor } = desk;
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const content = await checkContent(desk, form);
  if (!content.ok) return content.message;
  const until = readField(form, "until");
  const hours = Number(readField(form, "hours"));
  const end: Checked<Date> =
    until === "" && hours > 0 && hours <= 24
      ? { ok: true, value: new Date(now.getTime() + hours * hourMs) }
      : checkUntil(until, now, timeZone);
  if (!end.ok) return end.message;
  await db.transaction(async (tx) => {
    const alert = { ...content.value, level, startsAt: now, endsAt: end.value };
    await writeLog(tx, clock, editor, {
      action: "put up",
      kind: level === "urgent" ? "urgent alert" : "alert",
      items: [await createAlert(tx, alert)],
      title: alert.text,
      note: `Until ${shortTimestamp(end.value, timeZone)}`,
    });
  });
  return null;
}

const decideOfficial = (
  desk: AlertDesk,
  decision: "approved" | "hidden",
  form: FormData,
): Promise<string | null> =>
  desk.db.transaction(async (tx) => {
    const alert = await decideWaiting(tx, desk, readField(form, "key"), decision);
    if (!alert) return "This alert no longer waits for a decision.";
    await writeLog(tx, desk.clock, desk.editor, {
      action: decision,
      kind: "official alert",
      items: [alert.key],
      title: alert.headline,
    });
    return null;
  });

async function changeOne(
  desk: AlertDesk,
  action: "extend" | "change" | "end" | "delete",
  form: FormData,
): Promise<string | null> {
  const { site, db, clock, editor } = desk;
  const id = readField(form, "id");
  const alert = (await readAlerts(desk)).find((each) => each.id === id);
  if (!alert) return "This alert is no longer there.";
  if (action !== "delete" && isOver(alert, clock())) return "This alert is over.";
  const isOurs = action === "delete" ? alert.canDelete : alert.source === "editor";
  if (action !== "end" && !isOurs)
    return "This alert is not ours, so it can be ended, but not changed.";
  const content: Content =
    action === "change" ? await checkContent(desk, form) : { ok: true, value: alert };
  if (!content.ok) return content.message;
  const { text, link } = content.value;
  const level = alertLevels.find((each) => each === readField(form, "level"));
  const { timeZone } = site.read(siteSettingsFile);
  const typedEnd = action === "change" ? readField(form, "until") : "";
  const newEnd = typedEnd === "" ? null : checkUntil(typedEnd, clock(), timeZone);
  if (newEnd?.ok === false) return newEnd.message;
  const endsAt = newEnd?.value ?? new Date(alert.endsAt.getTime() + hourMs);
  const until = `Until ${shortTimestamp(endsAt, timeZone)}`;
  const { did, note, run } = {
    extend: {
      did: "extended" as const,
      note: until,
      run: (tx: Database) => changeAlert(tx, clock, id, { endsAt }),
    },
    change: {
      did: "changed" as const,
      note: newEnd ? until : "",
      run: (tx: Database) =>
        changeAlert(tx, clock, id, {
          text,
          link,
          ...(level && { level }),
          ...(newEnd && { endsAt }),
        }),
    },
    end: {
      did: "ended" as const,
      note: "",
      run: async (tx: Database) => (await endAlerts(tx, clock, [id])).length > 0,
    },
    delete: {
      did: "deleted" as const,
      note: "",
      run: async (tx: Database) => (await deleteAlerts(tx, [id])).length > 0,
    },
  }[action];
  const isDone = await db.transaction(async (tx) => {
    const isFound = await run(tx);
    if (isFound && alert.source === "official") await adoptEnds(tx);
    if (isFound)
      await writeLog(tx, clock, editor, {
        action: did,
        kind: "alert",
        items: [id],
        title: text,
        note,
      });
    return isFound;
  });
  return isDone ? null : "This alert is over.";
}
