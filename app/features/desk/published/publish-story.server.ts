import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import {
  lockStory,
  type NewImage,
  readFields,
  type StoryFields,
  writeStory,
} from "../../stories/desk/rows.server.ts";
import type { StoryRow } from "../../stories/readers/schema.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
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
  /** The images that the story does not have yet. */
  newImages?: NewImage[];
  editor: Editor;
  state?: StoryRow["state"];
  /** What the log says about it, such as the time of an entry. */
  note?: string;
};

/**
 * Publishes a story of the desk, with its version and its line in the log. Without a `state`, a
 * story that was taken down or is a draft again is on the site again.
 */
export async function publishStory(
  services: Pick<Services, "site">,
  tx: Database,
  { newImages = [], editor, note = "", ...written }: Publication,
  action = written.id === null ? "published" : "updated",
): Promise<{ id: string; slug: string }> {
  const { id, fields, at } = written;
  const row = id === null ? null : await lockStory(tx, id);
  const before = row && {
    fields: await readFields(tx, row),
    at: row.updatedAt ?? row.publishedAt ?? at,
  };
  const story = await writeStory(services, tx, { ...written, newImages });
  await writeVersion(tx, { kind: "story", id: story.id }, { fields, before, action, at, editor });
  await writeLog(tx, () => at, editor, {
    action,
    kind: "story",
    items: [story.id],
    title: fields.title,
    note,
  });
  return story;
}
