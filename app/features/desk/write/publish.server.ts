import { and, eq, lte } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { WorkRefused } from "../../../lib/external/work-refused.ts";
import { errorFields } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { deskFile, findEditor } from "../files.server.ts";
import type { PublishResult } from "../kinds/kind.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { writeLog } from "../log/log.server.ts";
import { listItemKinds } from "../published/model.ts";
import type { WriteDesk, WriteServices } from "../services.ts";
import { readItems } from "../waiting/list.server.ts";
import { submissionPath } from "../waiting/model.ts";
import { findDraft, lockRevision } from "./drafts.server.ts";
import { draftPath, titleOf, unapprovedMessage } from "./model.ts";
import { type Draft, deskDrafts } from "./schema.server.ts";

/** The path of the submission that a draft changes, if it waits for a decision or was rejected. */
export async function findUnapproved(db: Database, { kind, rowId }: Draft): Promise<string | null> {
  if (kind === "post" || rowId === null) return null;
  const [found] = await readItems(db, [{ kind, id: rowId }]);
  return found?.state === "waiting" || found?.state === "rejected" ? submissionPath(found) : null;
}

/**
 * A draft of an item that is not approved cannot be published, because its sender would not get the
 * email about the approval. A decision changes the draft's revision, so that none gets in between.
 */
export async function findObstacles(services: WriteServices, draft: Draft): Promise<FieldErrors> {
  const errors = await deskKinds[draft.kind].findObstacles(services, draft);
  return (await findUnapproved(services.db, draft))
    ? { ...errors, text: unapprovedMessage(draft.kind) }
    : errors;
}

/** "changed": the draft changed or was deleted meanwhile. */
type Published = PublishResult | { kind: "changed" };

/** Publishes and deletes a draft. To edit it again, an editor opens a new draft of the item. */
export async function publishDraft(desk: WriteDesk, draft: Draft, at: Date): Promise<Published> {
  const errors = await findObstacles(desk, draft);
  if (Object.keys(errors).length > 0) return { kind: "refused", errors };
  const { rowId, fields } = draft;
  const { lock, prepare } = deskKinds[draft.kind];
  const publish = await prepare(desk, draft, at);
  return desk.db.transaction(async (tx) => {
    if (!(await lockRevision(tx, draft))) return { kind: "changed" };
    // If the published item was deleted meanwhile, the draft is published as a new one.
    const isThere = rowId !== null && (await lock(desk, tx, rowId)) !== null;
    const result = await publish(tx, { rowId: isThere ? rowId : null, fields });
    if (result.kind === "published") await tx.delete(deskDrafts).where(eq(deskDrafts.id, draft.id));
    return result;
  });
}

/** Sets when a draft is published. Null removes the date. */
export async function scheduleDraft(
  { db, clock, editor }: WriteDesk,
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

/** Lists the obstacles for a page: none while the server is too busy to check the text. */
export const showObstacles = (services: WriteServices, draft: Draft): Promise<string[]> =>
  listObstacles(services, draft).catch((error: unknown) => {
    if (error instanceof WorkRefused) return [];
    throw error;
  });

/** Says why a scheduled draft cannot be published as it is. */
async function listObstacles(services: WriteServices, draft: Draft): Promise<string[]> {
  const obstacles = Object.values(await findObstacles(services, draft));
  return findEditor(services.site.read(deskFile), draft.editor)
    ? obstacles
    : [
        `${draft.editorName} is no longer an editor. Another editor has to schedule it again.`,
        ...obstacles,
      ];
}

/**
 * Removes the date of a draft that could not be published in time, and emails all editors. With its
 * date, the draft would be published at a later moment, while somebody types what was missing.
 */
async function cancelSchedule(
  { db, clock, site, mail }: JobServices,
  draft: Draft,
  publishAt: Date,
  obstacles: string[],
): Promise<void> {
  const { timeZone, origin } = site.read(siteSettingsFile);
  const time = shortTimestamp(publishAt, timeZone);
  const title = titleOf(draft.fields);
  const isScheduled = and(eq(deskDrafts.id, draft.id), eq(deskDrafts.publishAt, publishAt));
  await db.transaction(async (tx) => {
    const canceled = await tx
      .update(deskDrafts)
      .set({ publishAt: null })
      .where(isScheduled)
      .returning({ id: deskDrafts.id });
    if (canceled.length === 0) return;
    const editor = { name: draft.editorName, email: draft.editor };
    await writeLog(tx, clock, editor, {
      action: "could not publish",
      kind: draft.kind,
      items: [draft.id],
      title,
      note: obstacles.join(" "),
    });
    for (const { email } of site.read(deskFile)?.editors ?? [])
      await queueMail(tx, clock, {
        key: `draft-not-published:${draft.id}:${publishAt.toISOString()}:${email}`,
        to: email,
        subject: `“${title}” was not published`,
        text: [
          `“${title}” was scheduled for ${time}, but it could not be published:`,
          "",
          ...obstacles.map((obstacle) => `- ${obstacle}`),
          "",
          "It is a draft without a date now. Complete it, then publish or schedule it:",
          `${origin}${draftPath(draft.id)}`,
          "",
        ].join("\n"),
      });
  });
  mail.wake();
}

/** How long the job tries to publish a draft of which an error occurs that nobody expects. */
const retryMs = 10 * 60_000;

type JobServices = WriteServices & Pick<Services, "log"> & { mail: Pick<Services["mail"], "wake"> };

/**
 * Publishes the drafts that are due. A draft that is not complete, whose editor is no longer listed,
 * or that could not be published for ten minutes, loses its date.
 */
export async function publishDueDrafts(services: JobServices): Promise<{ published: number }> {
  const { db, clock, site, log } = services;
  if (!site.read(deskFile)) return { published: 0 };
  const kinds = listItemKinds(site);
  const now = clock();
  const isDue = lte(deskDrafts.publishAt, now);
  const due = await db.select({ id: deskDrafts.id }).from(deskDrafts).where(isDue);
  let published = 0;
  // The drafts are published one after the other, because texts may be long.
  for (const { id } of due) {
    const draft = await findDraft(db, id);
    if (!draft?.publishAt || !kinds.includes(draft.kind)) continue;
    const { publishAt } = draft;
    try {
      if (await publishDue(services, draft, publishAt)) published += 1;
    } catch (error) {
      log.error("desk.draft_not_published", { draft: id, ...errorFields(error) });
      if (now.getTime() - publishAt.getTime() < retryMs) continue;
      const obstacle = "An unexpected error occurred. The log of the server describes it.";
      await cancelSchedule(services, draft, publishAt, [obstacle]);
    }
  }
  return { published };
}

async function publishDue(services: JobServices, draft: Draft, publishAt: Date): Promise<boolean> {
  const editor = findEditor(services.site.read(deskFile), draft.editor);
  const result = editor && (await publishDraft({ ...services, editor }, draft, publishAt));
  if (!result || result.kind === "refused") {
    const obstacles = result ? Object.values(result.errors) : await listObstacles(services, draft);
    await cancelSchedule(services, draft, publishAt, obstacles);
  }
  return result?.kind === "published";
}
