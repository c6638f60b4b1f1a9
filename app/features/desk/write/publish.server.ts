import { eq, lte } from "drizzle-orm";
import { errorFields } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import { deskFile, type Editor, findEditor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { listItemKinds } from "../published/model.ts";
import { findDraft, lockRevision } from "./drafts.server.ts";
import type { Written } from "./kinds/kind.ts";
import { draftKinds } from "./kinds/kinds.server.ts";
import { titleOf } from "./model.ts";
import { type Draft, deskDrafts } from "./schema.server.ts";

type PublishServices = Pick<Services, "db" | "clock" | "site" | "runInWorker">;

/** What is missing before a draft can be published: messages by field, in the form's order. */
export const findMissing = (services: PublishServices, draft: Draft) =>
  draftKinds[draft.kind].findMissing(services, draft);

/** "changed": the draft changed or was deleted meanwhile. */
type Published = Written | { kind: "changed" };

/** Publishes a draft and deletes it. The editing goes on in a new draft of what is published. */
export async function publishDraft(
  services: PublishServices,
  editor: Editor,
  draft: Draft,
  at: Date,
): Promise<Published> {
  const errors = await findMissing(services, draft);
  if (Object.keys(errors).length > 0) return { kind: "refused", errors };
  const { open, prepare } = draftKinds[draft.kind];
  const write = await prepare(services, draft, at, editor);
  return services.db.transaction(async (tx) => {
    if (!(await lockRevision(tx, draft))) return { kind: "changed" };
    // If the published item was deleted meanwhile, the draft is published as a new one.
    const isThere = draft.item !== null && (await open(services, tx, draft.item)) !== null;
    const written = await write(tx, isThere ? draft.item : null);
    if (written.kind === "published")
      await tx.delete(deskDrafts).where(eq(deskDrafts.id, draft.id));
    return written;
  });
}

/** Sets when a draft is published. Null takes the date back. */
export async function scheduleDraft(
  { db, clock }: Pick<Services, "db" | "clock">,
  editor: Editor,
  draft: Draft,
  publishAt: Date | null,
  shownTime: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const by = { editor: editor.email, editorName: editor.name };
    await tx
      .update(deskDrafts)
      .set({ publishAt, ...by })
      .where(eq(deskDrafts.id, draft.id));
    await writeLog(tx, clock, editor, {
      action: publishAt ? "scheduled" : "unscheduled",
      kind: draft.kind,
      items: [draft.id],
      title: titleOf(draft.fields),
      note: shownTime,
    });
  });
}

/** Why a draft that is due is not published. */
export async function listObstacles(services: PublishServices, id: string): Promise<string[]> {
  const draft = await findDraft(services.db, id);
  if (!draft) return [];
  const missing = Object.values(await findMissing(services, draft));
  return findEditor(services.site.read(deskFile), draft.editor)
    ? missing
    : [
        `${draft.editorName} is no longer an editor. Another editor has to schedule it again.`,
        ...missing,
      ];
}

/**
 * Publishes the drafts that are due. One that is not complete, or whose editor is no longer listed,
 * stays, and the list of drafts says why.
 */
export async function publishDueDrafts(
  services: PublishServices & Pick<Services, "log">,
): Promise<{ published: number }> {
  const { db, clock, site, log } = services;
  const kinds = listItemKinds(site);
  const isDue = lte(deskDrafts.publishAt, clock());
  const due = await db.select({ id: deskDrafts.id }).from(deskDrafts).where(isDue);
  let published = 0;
  // One after the other, because texts may be long.
  for (const { id } of due) {
    const draft = await findDraft(db, id);
    const editor = findEditor(site.read(deskFile), draft?.editor ?? "");
    if (!draft?.publishAt || !editor || !kinds.includes(draft.kind)) continue;
    try {
      const result = await publishDraft(services, editor, draft, draft.publishAt);
      if (result.kind === "published") published += 1;
    } catch (error) {
      log.error("desk.draft_not_published", { draft: draft.id, ...errorFields(error) });
    }
  }
  return { published };
}
