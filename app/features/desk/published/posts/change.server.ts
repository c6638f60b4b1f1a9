import type { Database } from "../../../../../db/database.ts";
import type { Services } from "../../../../platform/services.ts";
import type { Correction } from "../../../../site-files/article-fields.server.ts";
import { lockPost, type PostRow, readPostFields } from "../../../blog/publish/desk-posts.server.ts";
import { addCorrection, changePost } from "../../../blog/publish/publish.server.ts";
import { addFileCorrection, changeFileNote } from "../../../file-notes/notes.server.ts";
import type { Editor } from "../../files.server.ts";
import { writeLog } from "../../log/log.server.ts";
import { readCorrection } from "../correction.server.ts";
import { writeVersion } from "../versions.server.ts";
import { type DeskPost, findDeskPost } from "./find.server.ts";

/** What an editor can do to a post, as the value of the pressed button. */
export const postActions = ["correct", "down", "again", "draft"] as const;
export type PostAction = (typeof postActions)[number];

type ChangeServices = Pick<Services, "db" | "site" | "clock">;

/** `typed` is the text of a correction. */
type Change = { slug: string; action: PostAction; typed: string; editor: Editor };

type Outcome = { kind: "done" } | { kind: "refused"; message: string } | { kind: "missing" };

/** Changes a post as an editor asked, with a line in the log. */
export async function changeDeskPost(services: ChangeServices, change: Change): Promise<Outcome> {
  const post = await findDeskPost(services, change.slug);
  if (!post) return { kind: "missing" };
  return services.db.transaction(async (tx) => {
    const row = post.kind === "row" ? await lockPost(tx, post.row.id) : null;
    return post.kind === "row" && !row
      ? { kind: "missing" }
      : apply(services, tx, post, row, change);
  });
}

/** `row` is null if the post is a file, beside which the changes are stored. */
async function apply(
  services: ChangeServices,
  tx: Database,
  { slug, metaTitle: title }: DeskPost,
  row: PostRow | null,
  { action, typed, editor }: Change,
): Promise<Outcome> {
  const done = async (did: string, note = ""): Promise<Outcome> => {
    const entry = { action: did, kind: "post", items: [slug], title, note };
    await writeLog(tx, services.clock, editor, entry);
    return { kind: "done" };
  };
  switch (action) {
    case "down":
    case "again":
      if (row) await changePost(tx, slug, { state: action === "down" ? "down" : "published" });
      else await changeFileNote(tx, "post", slug, { isDown: action === "down" });
      return done(action === "down" ? "took down" : "published again");
    case "draft":
      if (!row) return { kind: "refused", message: "Set draft: true in the file." };
      await changePost(tx, slug, { state: "draft" });
      return done("unpublished");
    case "correct": {
      const read = readCorrection(services, typed);
      if ("message" in read) return { kind: "refused", message: read.message };
      const { correction } = read;
      if (row) {
        await addCorrection(tx, slug, correction);
        await writeCorrectedVersion(tx, row, correction, services.clock(), editor);
      } else await addFileCorrection(tx, "post", slug, correction);
      return done("corrected", correction.text);
    }
  }
}

async function writeCorrectedVersion(
  tx: Database,
  row: PostRow,
  correction: Correction,
  at: Date,
  editor: Editor,
): Promise<void> {
  const before = readPostFields(row);
  const fields = { ...before, corrections: [...before.corrections, correction] };
  await writeVersion(
    tx,
    { kind: "post", id: String(row.id) },
    { fields, before: { fields: before, at: row.publishAt }, action: "corrected", at, editor },
  );
}
