import { localTimestamp, shortTimestamp } from "../../../lib/dates.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Editor } from "../files.server.ts";
import { isPlainText } from "../kinds/article.server.ts";
import { listCategoryChoices } from "../kinds/categories.server.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { listItemKinds } from "../published/model.ts";
import type { WriteDesk } from "../services.ts";
import { findDraft, isOpenElsewhere, listDrafts } from "./drafts.server.ts";
import { titleOf } from "./model.ts";
import { findUnapproved, showObstacles } from "./publish.server.ts";
import { describeTime } from "./receive.server.ts";
import type { Draft } from "./schema.server.ts";

/** Says how long ago something was, such as "2 minutes ago". */
function describeAgo(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  return minutes < 1 ? "just now" : `${formatCount(minutes, "minute")} ago`;
}

const describeOpen = (
  draft: Pick<Draft, "openBy" | "openName" | "openAt">,
  editor: Editor,
  now: Date,
) =>
  isOpenElsewhere(draft, editor, now)
    ? { name: draft.openName, ago: describeAgo(draft.openAt, now) }
    : null;

export async function showDrafts(desk: WriteDesk) {
  const { db, clock, site, editor } = desk;
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const kinds = listItemKinds(site);
  const drafts = (await listDrafts(db)).filter(({ kind }) => kinds.includes(kind));
  return Promise.all(
    drafts.map(async (draft) => {
      const scheduled = draft.publishAt && (await findDraft(db, draft.id));
      return {
        id: draft.id,
        kind: draft.kind,
        revision: draft.revision,
        title: titleOf(draft),
        isMine: draft.editor === editor.email,
        isOnSite: draft.rowId !== null && (await deskKinds[draft.kind].isOnSite(desk, draft.rowId)),
        saved: `${draft.editorName}, ${shortTimestamp(draft.updatedAt, timeZone)}`,
        open: describeOpen(draft, editor, now),
        publishAt: draft.publishAt && shortTimestamp(draft.publishAt, timeZone),
        obstacles: scheduled ? await showObstacles(desk, scheduled) : [],
      };
    }),
  );
}

export type ShownDraft = Awaited<ReturnType<typeof showDrafts>>[number];

export async function showDraft(desk: WriteDesk, draft: Draft) {
  const { db, clock, site, editor } = desk;
  const { timeZone } = site.read(siteSettingsFile);
  const { id, kind, fields, revision, rowId, publishAt } = draft;
  return {
    id,
    kind,
    fields,
    revision,
    created: draft.createdAt.toISOString(),
    /** Whether the draft changes an item, and whether readers see that item now. */
    changesItem: rowId !== null,
    isOnSite: rowId !== null && (await deskKinds[kind].isOnSite(desk, rowId)),
    /** Where to approve what the draft changes, if readers sent it and it is not approved. */
    unapprovedPath: await findUnapproved(db, draft),
    isPlain: await isPlainText(db, draft),
    saved: describeTime(draft.updatedAt, clock(), timeZone),
    open: describeOpen(draft, editor, clock()),
    publishAt: publishAt && {
      shown: shortTimestamp(publishAt, timeZone),
      input: localTimestamp(publishAt, timeZone).slice(0, 16),
      obstacles: await showObstacles(desk, draft),
    },
    categories: listCategoryChoices(site, kind, fields.category),
    timeZoneName: describeTimeZone(timeZone, clock()),
  };
}

/** Returns the name of a time zone, such as "Eastern Time". */
const describeTimeZone = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longGeneric" })
    .formatToParts(now)
    .find(({ type }) => type === "timeZoneName")?.value ?? timeZone;

export type DraftPageContent = Awaited<ReturnType<typeof showDraft>>;
