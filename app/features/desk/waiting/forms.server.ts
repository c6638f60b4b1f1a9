import { z } from "zod";
import { calendarDay, readInstant } from "../../../lib/dates.ts";
import { readField } from "../../../lib/form.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readEventFields, toTypedEvent } from "../../events/desk-events.server.ts";
import { eventsFile } from "../../events/files.server.ts";
import { eventForm } from "../../events/submissions.server.ts";
import type { Refusal } from "../../forms/model.ts";
import { readTypedValues } from "../../forms/model.ts";
import { firstErrors, optionalText } from "../../forms/receive.server.ts";
import type { StoryEdit } from "../../stories/readers/moderation.server.ts";
import { refuseForm, seenField, waitingPath } from "../model.ts";
import { describeStored, hashValues } from "../seen.server.ts";
import type { Desk } from "../services.ts";
import { answerMessage, answerSchema } from "./answer.server.ts";
import { numberImages, readApproval } from "./approval.server.ts";
import { type Choice, decideAtDesk } from "./decide.server.ts";
import { listRefs, readItems } from "./list.server.ts";
import {
  actions,
  descriptionField,
  maxReasonLength,
  maxSelected,
  noticeParam,
  parseItemValue,
  type SubmissionRef,
  showField,
  submissionPath,
  toKind,
} from "./model.ts";
import { restoreItems, undoDecision } from "./undo.server.ts";

/** What a form came to. "refused" shows the page again, with everything that was typed. */
type FormResult = { kind: "decided" | "restored" } | Refusal;

const seeBelow = "Nothing was decided yet. Please look at the fields below.";

const reasonSchema = z.object({ reason: optionalText(maxReasonLength) });

/** The pressed button, with the reason of a rejection. */
function readChoice(form: FormData): Choice | Refusal {
  const action = actions.find((each) => each === readField(form, "act"));
  if (!action) return refuseForm("Please press the button again.", form);
  if (action === "accept") return { action };
  const parsed = reasonSchema.safeParse({ reason: readField(form, "reason") });
  return parsed.success
    ? { action, reason: parsed.data.reason || undefined }
    : refuseForm(seeBelow, form, firstErrors(reasonSchema, parsed.error));
}

/** Stories that are approved together are published as their senders wrote them. */
async function decideMany(
  context: Desk,
  refs: SubmissionRef[],
  form: FormData,
): Promise<FormResult> {
  const choice = readChoice(form);
  if ("kind" in choice) return choice;
  if (choice.action === "reject") return decide(context, refs, choice, form);
  const storyEdits = new Map<string, StoryEdit>();
  for (const item of await readItems(context.db, refs)) {
    if (item.kind !== "story") continue;
    const { edit } = readApproval(context.site, item, {}, numberImages(item.images));
    if (edit) storyEdits.set(item.id, edit);
  }
  return decide(context, refs, { ...choice, storyEdits }, form);
}

async function decide(
  context: Desk,
  refs: SubmissionRef[],
  choice: Choice,
  form: FormData,
): Promise<FormResult> {
  const decided = await decideAtDesk(context, refs, choice);
  return decided.kind === "decided" ? decided : refuseForm(decided.message, form);
}

/**
 * Undoes a decision if its button was pressed. Returns the page to redirect to, which says what was
 * undone: the page of the item if the editor had typed something there, otherwise the list.
 */
export async function undoIfPressed(context: Desk, form: FormData): Promise<string | null> {
  const undo = readField(form, "undo");
  if (undo === "") return null;
  const { kind, item } = await undoDecision(context, undo);
  const path = item ? submissionPath(item) : waitingPath;
  return `${path}?${noticeParam}=${kind}`;
}

const readChecked = (form: FormData): SubmissionRef[] =>
  form
    .getAll("item")
    .flatMap((value) => (typeof value === "string" ? (parseItemValue(value) ?? []) : []));

export async function decideChecked(context: Desk, form: FormData): Promise<FormResult> {
  const refs = readChecked(form);
  if (refs.length === 0) return refuseForm("Select something first.", form);
  return decideMany(context, refs, form);
}

/** Decides about everything of a kind that had arrived when the editor saw how much there is. */
export async function decideAll(context: Desk, form: FormData): Promise<FormResult> {
  const until = readInstant(readField(form, "until"));
  if (!until) return refuseForm("Please press the button again.", form);
  const kind = toKind(readField(form, "kind"));
  const refs = await listRefs(context, { list: "waiting", kind, until, limit: maxSelected });
  return refs.length > 0
    ? decideMany(context, refs, form)
    : refuseForm("Nothing of it waits any more.", form);
}

export async function restoreChecked(context: Desk, form: FormData): Promise<FormResult> {
  const count = await restoreItems(context, readChecked(form));
  return count > 0
    ? { kind: "restored" }
    : refuseForm("Select something that is still in the bin.", form);
}

export async function decideOne(
  context: Desk,
  ref: SubmissionRef,
  form: FormData,
): Promise<FormResult> {
  const pressed = readField(form, "act");
  if (pressed === "answer") return answerOne(context, ref, form);
  if (pressed === "restore") {
    const count = await restoreItems(context, [ref]);
    return count > 0 ? { kind: "restored" } : refuseForm("It is no longer in the bin.", form);
  }
  if (readField(form, "answer").trim() !== "")
    return refuseForm("You wrote an answer. Send it, or delete it first.", form);
  const choice = await readChoiceOfOne(context, ref, form);
  if ("kind" in choice) return choice;
  // An undo fills these fields in again. The answer to a message is stored in its own table.
  const typed = ref.kind === "message" ? undefined : readTypedValues(form);
  return decide(context, [ref], { ...choice, typed }, form);
}

/** The pressed button, with what the editor changed on the page of one item. */
async function readChoiceOfOne(
  context: Desk,
  ref: SubmissionRef,
  form: FormData,
): Promise<Choice | Refusal> {
  const choice = readChoice(form);
  if ("kind" in choice || choice.action === "reject") return choice;
  if (ref.kind === "story") return readStoryApproval(context, ref, form);
  return ref.kind === "event" ? readEventApproval(context, ref, form) : choice;
}

async function readStoryApproval(
  { db, site }: Desk,
  ref: SubmissionRef,
  form: FormData,
): Promise<Choice | Refusal> {
  const [story] = await readItems(db, [ref]);
  if (!story) return { action: "accept" };
  const shown = numberImages(story.images)
    .filter((image) => readField(form, showField(image.id)) === "on")
    .map((image) => ({ ...image, alt: readField(form, descriptionField(image.id)) }));
  const { edit, errors } = readApproval(site, story, Object.fromEntries(form), shown);
  return edit
    ? { action: "accept", storyEdits: new Map([[story.id, edit]]) }
    : refuseForm(seeBelow, form, errors);
}

async function readEventApproval(
  { db, site, clock }: Desk,
  ref: SubmissionRef,
  form: FormData,
): Promise<Choice | Refusal> {
  const [item] = await readItems(db, [ref]);
  // Nothing is decided then, and the editor reads who was first.
  if (item?.event?.state !== "waiting") return { action: "accept" };
  const { timeZone } = site.read(siteSettingsFile);
  const stored = toTypedEvent(readEventFields(item.event, timeZone));
  const typed = Object.fromEntries(
    // Browsers send no checkbox that is not checked, and other line ends.
    Object.keys(stored).map((name) => [name, readField(form, name).replaceAll("\r\n", "\n")]),
  );
  const seen = hashValues(stored);
  if (readField(form, seenField) !== seen) {
    const message =
      "Somebody has changed this event meanwhile. Press the button again to replace it.";
    const refusal = refuseForm(message, form, describeStored(stored, typed));
    return { ...refusal, typed: { ...refusal.typed, [seenField]: seen } };
  }
  const categories = site.read(eventsFile).categories.map(({ name }) => name);
  const { schema } = eventForm(categories, calendarDay(clock(), timeZone));
  const parsed = schema.safeParse({ ...typed, name: "", email: "", consent: "on" });
  return parsed.success
    ? { action: "accept", eventEdit: parsed.data }
    : refuseForm(seeBelow, form, firstErrors(schema, parsed.error));
}

async function answerOne(
  context: Desk,
  { id }: SubmissionRef,
  form: FormData,
): Promise<FormResult> {
  const parsed = answerSchema.safeParse({ answer: readField(form, "answer") });
  if (!parsed.success) return refuseForm(seeBelow, form, firstErrors(answerSchema, parsed.error));
  const decided = await answerMessage(context, id, parsed.data.answer, readField(form, seenField));
  return decided.kind === "decided" ? decided : refuseForm(decided.message, form);
}
