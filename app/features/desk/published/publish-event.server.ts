import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  checkEvent,
  type EventFields,
  lockEvent,
  readEventFields,
  writeEvent,
} from "../../events/desk-events.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { writeVersion } from "./versions.server.ts";

type Publication = {
  /** The event that changes. Null for a new event. */
  id: string | null;
  /** The id of the drafts of a new event. */
  draftId?: string;
  fields: EventFields;
  editor: Editor;
  state?: EventRow["state"];
};

/**
 * Publishes an event of the desk, with its version and its line in the log, or says which fields are
 * wrong. Without a `state`, an event that was taken down is on the site again.
 */
export async function publishEvent(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { id, draftId, fields, editor, state }: Publication,
  action = id === null ? "published" : "updated",
): Promise<{ kind: "published"; id: string } | { kind: "refused"; errors: FieldErrors }> {
  const { site, clock } = services;
  const row = id === null ? null : await lockEvent(tx, id);
  if (id !== null && !row) throw new Error(`There is no event ${id} to publish.`);
  const checked = checkEvent(services, fields, row);
  if (checked.kind === "refused") return checked;
  const { timeZone } = site.read(siteSettingsFile);
  const before = row && {
    fields: readEventFields(row, timeZone),
    at: row.decidedAt ?? row.createdAt,
  };
  const event = await writeEvent(services, tx, row, checked.values, { draftId, state });
  const item = { kind: "event", id: event.id } as const;
  await writeVersion(tx, item, { fields, before, action, at: clock(), editor });
  await writeLog(tx, clock, editor, {
    action,
    kind: "event",
    items: [event.id],
    title: checked.values.title,
  });
  return { kind: "published", id: event.id };
}
