import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import {
  lockPost,
  type PostFields,
  type PostRow,
  readPostFields,
  writePost,
} from "../../blog/publish/desk-posts.server.ts";
import type { NewImage } from "../../stories/desk/rows.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { writeVersion } from "./versions.server.ts";

type Publication = {
  /** The post that gets a new text. Null for a new post. */
  id: number | null;
  /** The id of the drafts of a new post. */
  draftId?: string;
  fields: PostFields;
  /** When readers see it: a time in the future schedules the post. */
  at: Date;
  /** The images that the post does not have yet. */
  newImages?: NewImage[];
  editor: Editor;
  state?: PostRow["state"];
};

/**
 * Publishes a post of the desk, with its version and its line in the log. Without a `state`, a post
 * that was taken down or is a draft again is on the site again.
 */
export async function publishPost(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { newImages = [], editor, ...written }: Publication,
  action = written.id === null ? "published" : "updated",
): Promise<{ id: number; slug: string }> {
  const { id, fields } = written;
  const row = id === null ? null : await lockPost(tx, id);
  const before = row && { fields: readPostFields(row), at: row.publishAt };
  const post = await writePost(services, tx, { ...written, newImages });
  const item = { kind: "post", id: String(post.id) } as const;
  await writeVersion(tx, item, { fields, before, action, at: services.clock(), editor });
  await writeLog(tx, services.clock, editor, {
    action,
    kind: "post",
    items: [item.id],
    title: fields.title,
  });
  return post;
}
