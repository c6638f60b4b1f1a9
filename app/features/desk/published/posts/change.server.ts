import type { Database } from "../../../../../db/database.ts";
import { toSlug } from "../../../../lib/text/slug.ts";
import type { Services } from "../../../../platform/services.ts";
import type { Correction } from "../../../../site-files/article-fields.server.ts";
import { blogFolder } from "../../../blog/files.server.ts";
import { postPath } from "../../../blog/paths.ts";
import {
  lockPost,
  type PostRow,
  readPostFields,
  renamePost,
} from "../../../blog/publish/desk-posts.server.ts";
import { addCorrection, changePost } from "../../../blog/publish/publish.server.ts";
import { addFileCorrection, changeFileNote } from "../../../file-notes/notes.server.ts";
import { addRedirect } from "../../../redirects/rows.server.ts";
import type { Editor } from "../../files.server.ts";
import { writeLog } from "../../log/log.server.ts";
import { correctDraftOf, holdDraftOf } from "../../write/draft-of-item.server.ts";
import { readCorrection } from "../correction.server.ts";
import { maxSlugLength, type PostAction } from "../model.ts";
import { writeVersion } from "../versions.server.ts";
import { type DeskPost, findDeskPost } from "./find.server.ts";

type ChangeServices = Pick<Services, "db" | "site" | "clock">;

/** `typed` is the text of a correction, or the new last part of the path. */
type Change = { slug: string; action: PostAction; typed: string; editor: Editor };

type Outcome =
  | { kind: "done"; slug: string }
  | { kind: "refused"; message: string }
  | { kind: "missing" };

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
  post: DeskPost,
  row: PostRow | null,
  { action, typed, editor }: Change,
): Promise<Outcome> {
  // The post may have been renamed before its row was locked.
  const slug = row?.slug ?? post.slug;
  const title = post.metaTitle;
  const done = async (did: string, note = "", newSlug = slug): Promise<Outcome> => {
    const entry = { action: did, kind: "post", items: [slug], title, note };
    await writeLog(tx, services.clock, editor, entry);
    return { kind: "done", slug: newSlug };
  };
  switch (action) {
    case "down":
    case "again":
      if (row) await changePost(tx, slug, { state: action === "down" ? "down" : "published" });
      else await changeFileNote(tx, "post", slug, { isDown: action === "down" });
      if (row && action === "down") await holdDraftOf(tx, "post", String(row.id));
      return done(action === "down" ? "took down" : "published again");
    case "draft":
      if (!row) return { kind: "refused", message: "Set draft: true in the file." };
      await changePost(tx, slug, { state: "draft" });
      await holdDraftOf(tx, "post", String(row.id));
      return done("unpublished");
    case "rename": {
      if (!row) return { kind: "refused", message: "Rename the file." };
      const newSlug = toSlug(typed);
      const message = await rename(services, tx, row, newSlug);
      if (message !== null) return { kind: "refused", message };
      return done("renamed", `${postPath(slug)} → ${postPath(newSlug)}`, newSlug);
    }
    case "correct": {
      const read = readCorrection(services, typed, row?.corrections ?? post.corrections);
      if ("message" in read) return { kind: "refused", message: read.message };
      const { correction } = read;
      if (row) {
        await addCorrection(tx, slug, correction);
        await writeCorrectedVersion(tx, row, correction, services.clock(), editor);
        await correctDraftOf(tx, "post", String(row.id), correction);
      } else await addFileCorrection(tx, "post", slug, correction);
      return done("corrected", correction.text);
    }
  }
}

/** Moves a post to another path and redirects the old one. Returns why that is not possible. */
async function rename(
  { site, clock }: Pick<Services, "site" | "clock">,
  tx: Database,
  row: PostRow,
  slug: string,
): Promise<string | null> {
  if (slug === "" || slug.length > maxSlugLength)
    return `The new name must have 1 to ${maxSlugLength} letters, digits and hyphens.`;
  if (slug === row.slug) return "This is its name already.";
  if (site.readAll(blogFolder).some(({ id }) => id === slug))
    return `${blogFolder.folder}/${slug}.md is at this path.`;
  if (!(await renamePost(tx, row, slug))) return `Another post is at ${postPath(slug)}.`;
  await addRedirect(tx, {
    oldPath: postPath(row.slug),
    newPath: postPath(slug),
    at: clock(),
  });
  return null;
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
