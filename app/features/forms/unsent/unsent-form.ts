import {
  createDeviceValue,
  createMemoryValue,
  type DeviceValue,
  isTime,
} from "../../../lib/device/device-value.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { toQueryString } from "../../../lib/links/query.ts";
import { hasTypedText } from "../../../lib/typed-text.ts";
import { contactFormPath, hasFiles, readTypedValues, tipCategory } from "../model.ts";
import { unsentPrefix } from "./retention.ts";

/** What a reader typed into a form that was not sent. Only the reader's browser stores it. */
export type UnsentForm = {
  values: Record<string, string>;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Files are not stored, so the reader has to choose them again. */
  hadFiles: boolean;
  /** Whether the connection failed while the form was being sent, so that it may have arrived. */
  mayHaveArrived: boolean;
};

type TypedForm = Pick<UnsentForm, "values" | "hadFiles">;

const forms = new Map<string, DeviceValue<UnsentForm | null>>();

/**
 * Returns the path under which a form is stored, from the URL or path to which it is sent. The page
 * that a message is about is part of it: a text about one story must not be sent about another one.
 * So is that the reader opened the form for a news tip, which no stored text may turn into another
 * message.
 */
export function toUnsentPath(action: string): string {
  // A path needs a base to be parsed. Its host is not used.
  const { pathname, searchParams } = new URL(action, "https://form.invalid");
  const category = searchParams.get("category") === tipCategory ? tipCategory : null;
  return pathname + toQueryString({ about: searchParams.get("about"), category });
}

/** Returns the unsent form of a path, such as /community/submit. */
export function unsentForm(path: string): DeviceValue<UnsentForm | null> {
  const form = forms.get(path) ?? createDeviceValue(unsentPrefix + path, null, parseUnsentForm);
  forms.set(path, form);
  return form;
}

function parseUnsentForm(stored: unknown): UnsentForm | null {
  const typed = parseTypedForm(stored);
  if (!typed || !isRecord(stored) || !isTime(stored.savedAt)) return null;
  return { ...typed, savedAt: stored.savedAt, mayHaveArrived: stored.mayHaveArrived === true };
}

function parseTypedForm(stored: unknown): TypedForm | null {
  if (!isRecord(stored) || !isRecord(stored.values)) return null;
  const texts = Object.entries(stored.values).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return { values: Object.fromEntries(texts), hadFiles: stored.hadFiles === true };
}

export type UnsentResult = "stored" | "failed" | "confidential";

/**
 * Whether a form is a news tip, or was opened for one. Such a form is never stored: the device may
 * belong to an employer.
 */
export const isConfidential = (path: string, form: FormData): boolean =>
  path.startsWith(contactFormPath) &&
  (path.endsWith(`category=${tipCategory}`) || form.get("category") === tipCategory);

/** If the form is a news tip, nothing is stored, and what was stored before is deleted. */
export function storeUnsentForm(
  path: string,
  form: FormData,
  { mayHaveArrived, now }: { mayHaveArrived: boolean; now: number },
): UnsentResult {
  if (isConfidential(path, form)) {
    unsentForm(path).write(null);
    return "confidential";
  }
  const values = readTypedValues(form);
  const unsent = { values, savedAt: now, hadFiles: hasFiles(form), mayHaveArrived };
  return unsentForm(path).write(unsent) ? "stored" : "failed";
}

/** Whether the form was filled in without the files that the reader had chosen. */
export const areFilesLost = createMemoryValue(false);

/** Files that the reader has already chosen stay. Fields that are not in the form are skipped. */
export function fillForm(form: HTMLFormElement, { values, hadFiles }: TypedForm): void {
  areFilesLost.write(hadFiles && !hasFiles(new FormData(form)));
  for (const field of form.elements) {
    // Browsers let only the reader choose a file.
    if (field instanceof HTMLInputElement && field.type === "file") continue;
    if (isSkipped(field)) continue;
    if (field instanceof HTMLInputElement && field.type === "checkbox")
      field.checked = field.name in values;
    else if (
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement
    ) {
      field.value = values[field.name] ?? field.value;
      // Nobody sends a change that they do not see.
      const part = field.closest("details");
      if (part && "defaultValue" in field && field.value !== field.defaultValue) part.open = true;
    }
  }
}

export function isInForm(form: HTMLFormElement, values: Record<string, string>): boolean {
  const typed = readTypedValues(new FormData(form));
  return Object.entries(values).every(
    ([name, value]) => typed[name] === value || isSkipped(form.elements.namedItem(name)),
  );
}

/**
 * Nobody types into a hidden field: it says what the page knew. A field about a file, such as the
 * description of a photo, must not be filled in for another file.
 */
const isSkipped = (field: unknown) =>
  field instanceof HTMLInputElement &&
  (field.type === "hidden" || field.closest("[data-about-files]") !== null);

/** What the reader has typed into forms that are not sent yet, by the form's path. */
const typedForms = new Map<string, DeviceValue<TypedForm | null>>();

/** Forgets what was typed into a form, as soon as the server has it. */
export function deleteUnsentForm(path: string): void {
  unsentForm(path).write(null);
  typedForms.get(path)?.write(null);
}

/**
 * Fills in what the reader typed before they left this form, and remembers what they type from now
 * on. Only this tab knows the values, and only until it is closed or the form is sent. With
 * `survivesReload`, also a reload of the page finds them, unless an unsent form is offered.
 */
export function keepTypedForm(
  path: string,
  form: HTMLFormElement,
  survivesReload: boolean,
): () => void {
  const remembered =
    typedForms.get(path) ??
    (survivesReload
      ? createDeviceValue(`typed.${path}`, null, parseTypedForm, "sessionStorage")
      : createMemoryValue<TypedForm | null>(null));
  typedForms.set(path, remembered);
  const isOffered = survivesReload && unsentForm(path).read() !== null;
  const typed = isOffered ? null : remembered.read();
  if (typed) fillForm(form, typed);
  const keep = () => {
    const data = new FormData(form);
    if (hasFiles(data)) areFilesLost.write(false);
    const hadFiles = hasFiles(data) || areFilesLost.read();
    remembered.write(
      isConfidential(path, data) ? null : { values: readTypedValues(data), hadFiles },
    );
  };
  // The reader may have typed before the page was hydrated.
  if (!typed && hasTypedText(form)) keep();
  form.addEventListener("input", keep);
  return () => {
    areFilesLost.write(false);
    form.removeEventListener("input", keep);
  };
}
