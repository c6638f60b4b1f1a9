import { isRecord } from "../../../../lib/is-record.ts";
import { type ItemKind, toItemKind } from "../../published/model.ts";
import { checkboxes, type DraftFields, readDraftFields } from "../model.ts";

/**
 * What an editor typed and the server has not stored yet. It stays on the device without a
 * connection, after signing out and after the browser is closed.
 */
export type DeviceCopy = {
  kind: ItemKind;
  fields: DraftFields;
  revision: number;
  /** The fields that were sent without a response, so the server may have stored them. */
  sent: DraftFields | null;
  /** When it was typed, in milliseconds since 1970. */
  at: number;
};

const prefix = "desk-draft:";

/** Returns false if the browser stores nothing. */
export function writeDeviceCopy(id: string, copy: DeviceCopy): boolean {
  try {
    localStorage.setItem(prefix + id, JSON.stringify(copy));
    return true;
  } catch {
    return false;
  }
}

export function readDeviceCopy(id: string): DeviceCopy | null {
  try {
    return parse(JSON.parse(localStorage.getItem(prefix + id) ?? "null"));
  } catch {
    return null;
  }
}

export function deleteDeviceCopy(id: string): void {
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // A browser that blocks storage has no copy.
  }
}

/** All copies on the device, also those of drafts that somebody deleted on the server. */
export function listDeviceCopies(): { id: string; copy: DeviceCopy }[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .flatMap((id) => {
        const copy = readDeviceCopy(id);
        return copy ? [{ id, copy }] : [];
      });
  } catch {
    return [];
  }
}

/** Reads what an older version of the site may have stored. */
function parse(stored: unknown): DeviceCopy | null {
  if (!isRecord(stored) || !isRecord(stored.fields)) return null;
  return {
    kind: toItemKind(String(stored.kind)) ?? "story",
    fields: toFields(stored.fields),
    revision: Number(stored.revision) || 0,
    sent: isRecord(stored.sent) ? toFields(stored.sent) : null,
    at: Number(stored.at) || 0,
  };
}

function toFields(stored: Record<string, unknown>): DraftFields {
  const form = new FormData();
  for (const [name, value] of Object.entries(stored))
    if (typeof value === "string") form.set(name, value);
  for (const name of checkboxes) if (stored[name] === true) form.set(name, "on");
  const corrections = Array.isArray(stored.corrections) ? stored.corrections : [];
  for (const { date, text } of corrections.filter(isRecord)) {
    form.append("correctionDate", String(date));
    form.append("correctionText", String(text));
  }
  return readDraftFields(form);
}
