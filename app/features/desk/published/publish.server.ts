import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import {
  readPostFields,
  type WrittenPost,
  writePost,
} from "../../blog/publish/desk-posts.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  checkEvent,
  type EventFields,
  readEventFields,
  writeEvent,
} from "../../events/desk-events.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import { readFields, type WrittenStory, writeStory } from "../../stories/desk/rows.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { type Change, type Item, writeVersion } from "./versions.server.ts";

// Each function publishes something of the desk, with its version and its line in the log. `row` is
// the locked row of what changes, or null for something new. Without a `state`, what was taken down
// or is a draft again is on the site again.

type By = { editor: Editor };

const chooseAction = ({ row }: { row: object | null }) => (row ? "updated" : "published");

/** `note` is what the log says about the change, such as the time of an entry. */
type Recorded = Change & { title: string; note?: string };

async function record(tx: Database, item: Item, { title, note = "", ...change }: Recorded) {
  await writeVersion(tx, item, change);
  const { action, at, editor } = change;
  await writeLog(tx, () => at, editor, { action, kind: item.kind, items: [item.id], title, note });
}

export async function publishStory(
  services: Pick<Services, "site">,
  tx: Database,
  { editor, note, ...written }: WrittenStory & By & Pick<Recorded, "note">,
  action = chooseAction(written),
): Promise<{ id: string; slug: string }> {
  const { row, fields, at } = written;
  const { title } = fields;
  const before = row && {
    fields: await readFields(tx, row),
    at: row.updatedAt ?? row.publishedAt ?? at,
  };
  const story = await writeStory(services, tx, written);
  const item = { kind: "story", id: story.id } as const;
  await record(tx, item, { title, note, fields, before, action, at, editor });
  return story;
}

export async function publishPost(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { editor, ...written }: WrittenPost & By,
  action = chooseAction(written),
): Promise<{ id: number; slug: string }> {
  const { row, fields } = written;
  const { title } = fields;
  const before = row && { fields: readPostFields(row), at: row.publishAt };
  const post = await writePost(services, tx, written);
  const item = { kind: "post", id: String(post.id) } as const;
  await record(tx, item, { title, fields, before, action, at: services.clock(), editor });
  return post;
}

type WrittenEvent = {
  row: EventRow | null;
  /** The id of the drafts of a new event. */
  draftId?: string;
  fields: EventFields;
  state?: EventRow["state"];
};

/** Says which fields are wrong if it cannot publish the event. */
export async function publishEvent(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { row, draftId, fields, state, editor }: WrittenEvent & By,
  action = chooseAction({ row }),
): Promise<{ kind: "published"; id: string } | { kind: "refused"; errors: FieldErrors }> {
  const checked = checkEvent(services, fields, row);
  if (checked.kind === "refused") return checked;
  const { site, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const before = row && {
    fields: readEventFields(row, timeZone),
    at: row.decidedAt ?? row.createdAt,
  };
  const { id } = await writeEvent(services, tx, row, checked.values, { draftId, state });
  const { title } = checked.values;
  await record(tx, { kind: "event", id }, { title, fields, before, action, at: clock(), editor });
  return { kind: "published", id };
}
