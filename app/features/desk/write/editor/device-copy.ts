import { isRecord } from "../../../../lib/is-record.ts";
import { type ItemKind, toItemKind } from "../../published/model.ts";
import { type DraftFields, readDraftFields, writeDraftFields } from "../model.ts";

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
};

const prefix = "desk-draft:";

const toText = (fields: DraftFields) => String(writeDraftFields(new URLSearchParams(), fields));
const toFields = (text: string) => readDraftFields(new URLSearchParams(text));

/** Returns false if the browser stores nothing. */
export function writeDeviceCopy(id: string, { fields, sent, ...copy }: DeviceCopy): boolean {
  const stored = { ...copy, fields: toText(fields), sent: sent && toText(sent) };
  try {
    localStorage.setItem(prefix + id, JSON.stringify(stored));
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

function parse(stored: unknown): DeviceCopy | null {
  if (!isRecord(stored) || typeof stored.fields !== "string") return null;
  return {
    kind: toItemKind(String(stored.kind)) ?? "story",
    fields: toFields(stored.fields),
    revision: Number(stored.revision) || 0,
    sent: typeof stored.sent === "string" ? toFields(stored.sent) : null,
  };
}
