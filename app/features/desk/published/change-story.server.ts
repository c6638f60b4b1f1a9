import { and, eq, like } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { Services } from "../../../platform/services.ts";
import { addRedirect } from "../../redirects/rows.server.ts";
import { redirects } from "../../redirects/schema.server.ts";
import {
  type ChangedStory,
  correctStory,
  makeDraftAgain,
  pinStory,
  publishStoryAgain,
  renameStory,
  takeDownStory,
} from "../../stories/desk/changes.server.ts";
import { lockStory, readFields, type StoryRow } from "../../stories/desk/rows.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { correctDraftOf, holdDraftOf } from "../write/draft-of-item.server.ts";
import { readCorrection } from "./correction.server.ts";
import { maxSlugLength, type StoryAction } from "./model.ts";
import { type DeskStory, findDeskStory } from "./story.server.ts";
import { writeVersion } from "./versions.server.ts";

type ChangeServices = Pick<Services, "db" | "site" | "clock">;

/** `typed` is the text of a correction, or the new last part of the path. */
type Change = { slug: string; action: StoryAction; typed: string; editor: Editor };

type Outcome =
  | { kind: "done"; slug: string }
  | { kind: "refused"; message: string }
  | { kind: "missing" };

/** Changes a published story as an editor asked, with a line in the log. */
export async function changeStory(services: ChangeServices, change: Change): Promise<Outcome> {
  const story = await findDeskStory(services, change.slug);
  if (!story) return { kind: "missing" };
  return services.db.transaction(async (tx) => {
    if (story.kind === "file") return apply(services, tx, story, { file: story.slug }, change);
    const row = await lockStory(tx, story.row.id);
    return row ? apply(services, tx, story, { row }, change) : { kind: "missing" };
  });
}

const refused = (message: string): Outcome => ({ kind: "refused", message });

async function apply(
  services: ChangeServices,
  tx: Database,
  story: DeskStory,
  changed: ChangedStory,
  { action, typed, editor }: Change,
): Promise<Outcome> {
  const at = services.clock();
  const done = async (did: string, note = "", slug = story.slug): Promise<Outcome> => {
    const items = ["row" in changed ? changed.row.id : `${newsFolder.folder}/${story.slug}.md`];
    const entry = { action: did, kind: "story", items, title: story.title, note };
    await writeLog(tx, () => at, editor, entry);
    return { kind: "done", slug };
  };
  switch (action) {
    case "down":
      await takeDownStory(tx, changed, at);
      if ("row" in changed) await holdDraftOf(tx, "story", changed.row.id);
      return done("took down");
    case "again":
      await publishStoryAgain(tx, { ...changed, title: story.title }, at);
      return done("published again");
    case "pin":
    case "unpin":
      await pinStory(tx, changed, action === "pin");
      return done(action === "pin" ? "pinned" : "unpinned");
    case "correct": {
      const read = readCorrection(services, typed, story.corrections);
      if ("message" in read) return refused(read.message);
      const { correction } = read;
      await correctStory(tx, changed, correction, at);
      if ("row" in changed) {
        await writeCorrectedVersion(tx, changed.row, correction, at, editor);
        await correctDraftOf(tx, "story", changed.row.id, correction);
      }
      return done("corrected", correction.text);
    }
    case "draft":
      if ("file" in changed) return refused("Set draft: true in the file.");
      await makeDraftAgain(tx, changed.row, at);
      await holdDraftOf(tx, "story", changed.row.id);
      return done("unpublished");
    case "rename": {
      if ("file" in changed) return refused("Rename the file.");
      const slug = toSlug(typed);
      const { row } = changed;
      const problem = await rename(services, tx, row, slug, at);
      return problem
        ? refused(problem)
        : done("renamed", `/news/${row.slug} → /news/${slug}`, slug);
    }
  }
}

async function writeCorrectedVersion(
  tx: Database,
  row: StoryRow,
  correction: { date: string; text: string },
  at: Date,
  editor: Editor,
): Promise<void> {
  const fields = await readFields(tx, row);
  await writeVersion(
    tx,
    { kind: "story", id: row.id },
    {
      fields: { ...fields, corrections: [...fields.corrections, correction] },
      before: { fields, at: row.updatedAt ?? row.publishedAt ?? at },
      action: "corrected",
      at,
      editor,
    },
  );
}

/** Moves a story to another path and redirects the old one. Returns why that is not possible. */
async function rename(
  { site }: Pick<Services, "site">,
  tx: Database,
  row: StoryRow,
  slug: string,
  at: Date,
): Promise<string | null> {
  const toPath = (last: string | null) => `/news/${last}`;
  if (slug === "" || slug.length > maxSlugLength)
    return `The new name must have 1 to ${maxSlugLength} letters, digits and hyphens.`;
  if (slug === row.slug) return "This is its name already.";
  if (site.readAll(newsFolder).some(({ id }) => id === slug))
    return `${newsFolder.folder}/${slug}.md is at this path.`;
  const own = await tx
    .select({ oldPath: redirects.oldPath })
    .from(redirects)
    .where(and(eq(redirects.newPath, toPath(row.slug)), like(redirects.oldPath, "/news/%")));
  const ownSlugs = own.map(({ oldPath }) => oldPath.slice(toPath("").length));
  if (!(await renameStory(tx, row, { slug, ownSlugs, at })))
    return `Another story is, or was, at ${toPath(slug)}.`;
  await addRedirect(tx, { oldPath: toPath(row.slug), newPath: toPath(slug), at });
  return null;
}
