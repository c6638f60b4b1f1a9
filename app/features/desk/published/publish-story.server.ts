import { inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import {
  listTextImages,
  lockStory,
  readFields,
  type StoryFields,
  type StoryRow,
  writeStory,
} from "../../stories/desk/rows.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { deskImages } from "../write/schema.server.ts";
import { writeVersion } from "./versions.server.ts";

type Publication = {
  /** The story that gets a new text. Null for a new story. */
  id: string | null;
  /** The id that a new story gets. */
  newId?: string;
  fields: StoryFields;
  /** The result of `renderStoryText`. */
  html: string;
  at: Date;
  editor: Editor;
  state?: StoryRow["state"];
};

/**
 * Publishes a story of the desk, with its version and its line in the log. Without a `state`, a
 * story that was taken down or is a draft again is on the site again.
 */
export async function publishStory(
  services: Pick<Services, "site">,
  tx: Database,
  { id, newId, fields, html, at, editor, state }: Publication,
  action = id === null ? "published" : "updated",
): Promise<{ id: string; slug: string }> {
  const row = id === null ? null : await lockStory(tx, id);
  const before = row && {
    fields: await readFields(tx, row),
    at: row.updatedAt ?? row.publishedAt ?? at,
  };
  const newImages = await readDeskImages(tx, fields);
  const story = await writeStory(services, tx, {
    id,
    ...(newId ? { newId } : {}),
    fields,
    html,
    at,
    newImages,
    ...(state && { state }),
  });
  await writeVersion(tx, { kind: "story", id: story.id }, { fields, before, action, at, editor });
  await writeLog(tx, () => at, editor, {
    action,
    kind: "story",
    items: [story.id],
    title: fields.title,
  });
  return story;
}

/** The images that a text shows and that its draft has. */
export async function readDeskImages(
  tx: Database,
  { image, text }: Pick<StoryFields, "image" | "text">,
) {
  const { id, width, height, bytes } = deskImages;
  const ids = [...(image ? [image.id] : []), ...listTextImages(text)];
  if (ids.length === 0) return [];
  return tx.select({ id, width, height, bytes }).from(deskImages).where(inArray(id, ids));
}
