import { z } from "zod";
import { calendarDay, clockTime, instantAt, shortTimestamp } from "../../../lib/dates.ts";
import { type PostedForm, readField } from "../../../lib/form.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { toItemKind } from "../published/model.ts";
import type { WriteDesk } from "../services.ts";
import { describeChangeOf } from "./draft-of-item.server.ts";
import {
  deleteDraft,
  findDraft,
  markOpen,
  restoreDraft,
  type Saved,
  saveDraft,
  takeOver,
} from "./drafts.server.ts";
import { receiveImage } from "./images.server.ts";
import {
  type DraftFields,
  intentField,
  isTooLarge,
  kindField,
  photoField,
  readDraftFields,
  revisionField,
  type SaveResponse,
  tooLargeMessage,
  whenField,
} from "./model.ts";
import { findObstacles, publishDraft, scheduleDraft, showObstacles } from "./publish.server.ts";
import type { Draft } from "./schema.server.ts";

type Conflict = Extract<SaveResponse, { kind: "conflict" }>;

export type DraftResult =
  /** "gone": somebody has deleted or published the draft that this editor wanted to delete. */
  | { kind: "saved" | "deleted" | "gone" }
  | { kind: "published"; path: string }
  | { kind: "conflict"; typed: DraftFields; response: Conflict }
  | {
      kind: "refused";
      typed: DraftFields;
      /** The typed time of the publication. */
      when: string;
      revision: number;
      summary: string;
      errors: Record<string, string>;
    };

const readRevision = (form: FormData) => Number(readField(form, revisionField)) || 0;

/** Says when something was saved: today by its time only. */
export const describeTime = (at: Date, now: Date, timeZone: string): string =>
  calendarDay(at, timeZone) === calendarDay(now, timeZone)
    ? clockTime(at, timeZone)
    : shortTimestamp(at, timeZone);

async function toSaveResponse(
  desk: WriteDesk,
  saved: Saved,
  /** Checking for obstacles renders the text. */
  hasObstacles = false,
): Promise<SaveResponse | { kind: "too-large" }> {
  if (saved.kind === "gone" || saved.kind === "too-large") return saved;
  if (saved.kind === "conflict") return toConflict(desk, saved.draft);
  const unseen = saved.isSeen ? null : await findUnseen(desk, saved.draft);
  if (unseen) return unseen;
  const { revision, publishAt } = saved.draft;
  const obstacles = hasObstacles && publishAt ? await showObstacles(desk, saved.draft) : [];
  return { kind: "saved", revision, savedAt: describeSaving(desk, saved.draft), obstacles };
}

const describeSaving = ({ site, clock }: WriteDesk, { updatedAt }: Draft) =>
  describeTime(updatedAt, clock(), site.read(siteSettingsFile).timeZone);

/** `isSameText`: nobody saved another text, so something else happened to the draft or its item. */
async function toConflict(desk: WriteDesk, draft: Draft, isSameText = false): Promise<Conflict> {
  const { db, editor } = desk;
  const { revision, fields, editorName } = draft;
  const isOwn = draft.editor === editor.email;
  const isNotOthers = isSameText || isOwn || draft.openBy === editor.email;
  const change = isNotOthers ? await describeChangeOf(db, draft) : null;
  const savedAt = describeSaving(desk, draft);
  return { kind: "conflict", revision, fields, editorName, savedAt, isOwn, change };
}

/**
 * An editor must not publish over what others did since the page was loaded, even if the text is
 * the same. If only the response to the editor's own save was lost, nothing is unseen.
 */
async function findUnseen(desk: WriteDesk, draft: Draft): Promise<Conflict | null> {
  const conflict = await toConflict(desk, draft, true);
  return conflict.isOwn && conflict.change === null ? null : conflict;
}

/** Receives what the editor's page sends by itself: the text, or only that it is still open. */
export async function receiveSave(
  desk: WriteDesk,
  id: string,
  form: FormData,
): Promise<SaveResponse | { kind: "too-large" }> {
  const revision = readRevision(form);
  if (readField(form, intentField) === "open")
    return toSaveResponse(desk, await markOpen(desk, { id, revision }));
  const saved = await saveDraft(desk, { id, revision, fields: readDraftFields(form) });
  return toSaveResponse(desk, saved, true);
}

export async function receiveDraft(
  desk: WriteDesk,
  id: string,
  posted: PostedForm,
): Promise<DraftResult> {
  const { form } = posted;
  const intent = readField(form, intentField);
  if (intent === "take-over") {
    await takeOver(desk, id);
    return { kind: "saved" };
  }
  if (intent === "delete") {
    const result = await deleteDraft(desk, id, readRevision(form));
    return result.kind === "conflict" ? refuseDeletion(result.draft) : result;
  }
  const stored = await findDraft(desk.db, id);
  const isWhole = posted.kind === "whole";
  const typed = readDraftFields(form, isWhole || !stored ? undefined : stored.fields);
  const refuse = (errors: Record<string, string>, saved?: Draft): DraftResult => ({
    kind: "refused",
    typed: saved?.fields ?? typed,
    when: readField(form, whenField),
    revision: saved?.revision ?? readRevision(form),
    summary: !saved
      ? "This is not saved yet."
      : ["publish", "schedule"].includes(intent)
        ? "This cannot be published yet."
        : "The text is saved, but not the photo.",
    errors,
  });
  if (isTooLarge(typed)) return refuse({ text: tooLargeMessage });
  // Somebody deleted the draft while the editor typed, or published it, or the form was sent twice.
  const restore = async (fields: DraftFields): Promise<DraftResult> => {
    const kind = stored?.kind ?? toItemKind(readField(form, kindField)) ?? "story";
    const response = await toSaveResponse(desk, await restoreDraft(desk, { id, kind, fields }));
    if (response.kind === "conflict") return { kind: "conflict", typed: fields, response };
    if (response.kind === "too-large") return refuse({ text: tooLargeMessage });
    return { kind: response.kind };
  };
  if (!stored) return restore(typed);
  const upload = await receiveImage(desk, id, posted);
  // Some fields did not arrive, so what is stored must stay.
  if (upload.kind === "refused" && !isWhole) return refuse({ [photoField]: upload.message });
  const fields = { ...typed, image: choosePhoto(form, typed, upload) };
  const saved = await saveDraft(desk, { id, revision: readRevision(form), fields });
  const response = await toSaveResponse(desk, saved);
  if (response.kind === "conflict") return { kind: "conflict", typed: fields, response };
  if (saved.kind !== "saved") return restore(fields);
  const { draft } = saved;
  if (upload.kind === "refused") return refuse({ [photoField]: upload.message }, draft);
  return act(desk, draft, form, (errors) => refuse(errors, draft));
}

const refuseDeletion = ({ editorName, fields, revision }: Draft): DraftResult => ({
  kind: "refused",
  typed: fields,
  when: "",
  revision,
  summary: `Nothing was deleted: ${editorName} has changed this draft since.`,
  errors: {},
});

/** Without JavaScript, a photo is sent with the form, and a box removes the one that is there. */
const choosePhoto = (
  form: FormData,
  typed: DraftFields,
  upload: Awaited<ReturnType<typeof receiveImage>>,
): string => (upload.kind === "stored" ? upload.id : form.has("removePhoto") ? "" : typed.image);

async function act(
  desk: WriteDesk,
  draft: Draft,
  form: FormData,
  refuse: (errors: Record<string, string>) => DraftResult,
): Promise<DraftResult> {
  const { timeZone } = desk.site.read(siteSettingsFile);
  switch (readField(form, intentField)) {
    case "publish": {
      const result = await publishDraft(desk, draft, desk.clock());
      if (result.kind === "refused") return refuse(result.errors);
      return result.kind === "changed"
        ? refuse({ text: "Somebody saved this draft at the same moment. Publish it again." })
        : result;
    }
    case "schedule": {
      const publishAt = readTime(readField(form, whenField), timeZone);
      const errors = await findObstacles(desk, draft);
      if (!publishAt || publishAt <= desk.clock())
        errors[whenField] = "Choose a day and a time in the future.";
      if (!publishAt || Object.keys(errors).length > 0) return refuse(errors);
      await scheduleDraft(desk, draft, publishAt, shortTimestamp(publishAt, timeZone));
      return { kind: "saved" };
    }
    case "unschedule":
      await scheduleDraft(desk, draft, null, "");
      return { kind: "saved" };
    default:
      return { kind: "saved" };
  }
}

/** Reads the value of an input for a local date and time, in the city's time zone. */
function readTime(typed: string, timeZone: string): Date | null {
  const [, day = "", time = ""] = /^(20\d{2}-\d{2}-\d{2})T(\d{2}:\d{2})$/.exec(typed) ?? [];
  const isReal = z.iso.date().safeParse(day).success && z.iso.time().safeParse(time).success;
  return isReal ? instantAt(day, time, timeZone) : null;
}
