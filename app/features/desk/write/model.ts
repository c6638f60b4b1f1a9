import { maxTextBytes } from "../../../lib/form.ts";
import { storedImagePath } from "../../../lib/images/stored-image.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { maxAltLength, maxImageBytes } from "../../stories/readers/model.ts";
import type { ItemKind } from "../published/model.ts";

export const writePath = "/desk/write";
export const draftPath = (id: string) => `${writePath}/${encodeURIComponent(id)}`;
/** Where the editor's page saves the draft while the editor types. */
export const savePath = (id: string) => `${draftPath(id)}/save`;
export const uploadPath = (id: string) => `${draftPath(id)}/images`;
export const previewPath = (id: string) => `${draftPath(id)}/preview`;
/**
 * The query parameter of a preview that fills the screen, and so needs a link back to the draft.
 */
export const backParam = "back";
/** Where editors see the images of drafts and of stories that wait or are rejected. */
export const deskImageFolder = "/desk/images/";
export const deskImagePath = (image: string) => `${deskImageFolder}${image}.webp`;

/** The query parameter with the path of what was just published. */
export const publishedParam = "published";

/** The names of the form's fields that are not fields of the draft. */
export const intentField = "intent";
export const kindField = "kind";
export const revisionField = "revision";
export const photoField = "photo";
export const whenField = "publishAt";

export const fieldLabels = {
  title: "Title",
  text: "Text",
  category: "Section",
  authors: "Author",
  excerpt: "Summary",
  image: "Photo",
  alt: "Description of the photo",
  caption: "Caption",
  credit: "Credit",
  isPinned: "Pinned to the front page",
  isLive: "Live",
  corrections: "Corrections",
  location: "Place",
  day: "Day",
  starts: "Starts",
  ends: "Ends",
  free: "Free",
  url: "Link",
};
type FieldName = keyof typeof fieldLabels;

const checkboxes = ["isPinned", "isLive", "free"] as const;
type Checkbox = (typeof checkboxes)[number];
type TextName = Exclude<FieldName, Checkbox | "corrections">;

const isFieldName = (name: string): name is FieldName => name in fieldLabels;
const isCheckbox = (name: FieldName): name is Checkbox => checkboxes.some((each) => each === name);
const fieldNames = Object.keys(fieldLabels).filter(isFieldName);
const textFields = fieldNames.filter(
  (name): name is TextName => !isCheckbox(name) && name !== "corrections",
);

/** The fields of a draft exactly as an editor typed them. Publishing checks them. */
export type DraftFields = Record<TextName, string> &
  Record<Checkbox, boolean> & { corrections: { date: string; text: string }[] };

/** All kinds share these fields. A field that a kind does not have stays empty. */
export const emptyFields: DraftFields = {
  title: "",
  /** Markdown; plain text in an event and in a reader's story. */
  text: "",
  category: "",
  /** The names, with commas between them. */
  authors: "",
  excerpt: "",
  /** The id of the photo above the text, or "" for a text without a photo. */
  image: "",
  alt: "",
  caption: "",
  credit: "",
  isPinned: false,
  isLive: false,
  corrections: [],
  /** Where and when an event takes place, in the city's time zone. */
  location: "",
  day: "",
  starts: "",
  ends: "",
  free: false,
  url: "",
};

/** How many characters a story or a post can have in each field when it is published. */
export const maxLengths = {
  title: 150,
  text: 100_000,
  alt: maxAltLength,
  caption: 500,
  credit: 100,
  authors: 300,
  excerpt: 400,
} satisfies Partial<Record<keyof DraftFields, number>>;
export const maxCorrections = 20;
export const maxFormBytes = maxImageBytes + maxTextBytes;

/** Whether a draft is too large for a form without a photo, whose fields have names too. */
export const isTooLarge = (fields: DraftFields): boolean =>
  new TextEncoder().encode(JSON.stringify(fields)).length > maxTextBytes - 8 * 1024;
export const tooLargeMessage =
  "This is too long to be saved. Shorten it, or move a part of it to another draft.";

export const titleOf = ({ title }: Pick<DraftFields, "title">) => title.trim() || "Without a title";

/** The line between two versions of a text of which an editor keeps both. */
export const toMergeLine = (label: string) => `=== ${label} ===`;
export const hasMergeLine = (text: string) => /^=== .{0,200} ===$/m.test(text);
export const mergeLineMessage =
  "The text has two versions. Keep what you need of both, and delete the line that begins with ===.";

export const unapprovedMessage = (kind: ItemKind) =>
  `This ${kind} is not approved. Approve it first, then publish your changes.`;

/** The hint for the text of a reader's story, in which Markdown has no meaning. */
export const plainTextHint = "Plain text: readers would see marks such as ** as they are.";

/** How long after the last sign of life another editor no longer has to take a draft over. */
export const openMinutes = 5;

/** The database stores no U+0000, and nobody sees the other control characters. */
const toText = (value: FormDataEntryValue | null | undefined) =>
  typeof value === "string" ? stripControlCharacters(value) : "";

/**
 * Reads the form in the browser and on the server alike. Fields that the form does not have are
 * copied from `otherwise`.
 */
export function readDraftFields(
  form: FormData | URLSearchParams,
  otherwise = emptyFields,
): DraftFields {
  const fields = { ...otherwise };
  for (const name of textFields) if (form.has(name)) fields[name] = toText(form.get(name));
  for (const name of checkboxes) fields[name] ||= form.has(name);
  const dates = form.getAll("correctionDate");
  if (form.has("correctionText"))
    fields.corrections = form
      .getAll("correctionText")
      .map((text, index) => ({ date: toText(dates[index]), text: toText(text) }))
      .filter(({ text }) => text.trim() !== "")
      .slice(0, maxCorrections);
  return fields;
}

export function writeDraftFields<Form extends FormData | URLSearchParams>(
  form: Form,
  fields: DraftFields,
): Form {
  for (const name of textFields) form.set(name, fields[name]);
  for (const name of checkboxes) if (fields[name]) form.set(name, "on");
  for (const { date, text } of fields.corrections) {
    form.append("correctionDate", date);
    form.append("correctionText", text);
  }
  return form;
}

export const isSameDraft = (one: DraftFields, other: DraftFields): boolean =>
  listDifferences(one, other).length === 0;

function describeField(fields: DraftFields, name: FieldName): string {
  if (isCheckbox(name)) return fields[name] ? "Yes" : "No";
  if (name === "image") return fields.image === "" ? "None" : storedImagePath(fields.image);
  if (name === "corrections")
    return fields.corrections.map(({ date, text }) => `${date} ${text}`.trim()).join("\n");
  return fields[name];
}

/** The fields in which two versions of a draft differ, with both texts. */
export const listDifferences = (one: DraftFields, other: DraftFields) =>
  fieldNames
    .map((name) => ({
      name,
      label: fieldLabels[name],
      one: describeField(one, name),
      other: describeField(other, name),
    }))
    .filter((difference) => difference.one !== difference.other);

const listChanged = (one: DraftFields, other: DraftFields) =>
  listDifferences(one, other).map(({ name }) => name);

/**
 * Adds what was changed elsewhere since `base` to what an editor typed. Returns null if both
 * changed the same field, unless the other change only added something to its end.
 */
export function mergeFields(
  base: DraftFields,
  typed: DraftFields,
  other: DraftFields,
): DraftFields | null {
  const merged = keepTyped(base, typed, other);
  const [own, different, added] = [base, other, merged].map((each) => listChanged(each, typed));
  const isLost = (name: FieldName) =>
    own?.includes(name) && different?.includes(name) && !added?.includes(name);
  return listChanged(base, other).some(isLost) ? null : merged;
}

/** Like `mergeFields`, but a field that both changed stays as the editor typed it. */
export function keepTyped(base: DraftFields, typed: DraftFields, other: DraftFields): DraftFields {
  const own = Object.fromEntries(listChanged(base, typed).map((name) => [name, typed[name]]));
  const merged: DraftFields = { ...other, ...own };
  const before = base.text.trimEnd();
  if (other.text.startsWith(before))
    merged.text = typed.text.trimEnd() + other.text.slice(before.length);
  const { corrections } = other;
  if (base.corrections.every(({ text }, index) => text === corrections[index]?.text))
    merged.corrections = [...typed.corrections, ...corrections.slice(base.corrections.length)];
  return merged;
}

export type SaveResponse =
  /** `obstacles` say why a scheduled draft cannot be published as it is. */
  | { kind: "saved"; revision: number; savedAt: string; obstacles: string[] }
  | {
      kind: "conflict";
      revision: number;
      fields: DraftFields;
      editorName: string;
      savedAt: string;
      /** Whether this editor saved the other text, in another tab. */
      isOwn: boolean;
      /** What happened to the published item since, such as an entry that somebody added. */
      change: string | null;
    }
  | { kind: "gone" };

/** The channel on which the page of a preview learns that its draft was saved. */
export const previewChannel = (id: string) => `desk-preview:${id}`;
