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
  if (!isRecord(stored) || !isRecord(stored.values) || !isTime(stored.savedAt)) return null;
  return {
    values: readTexts(stored.values),
    savedAt: stored.savedAt,
    hadFiles: stored.hadFiles === true,
    mayHaveArrived: stored.mayHaveArrived === true,
  };
}

const readTexts = (stored: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );

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
const typedForms = new Map<string, TypedForm>();

/** Forgets what was typed into a form, as soon as the server has it. */
export function deleteUnsentForm(path: string): void {
  unsentForm(path).write(null);
  typedForms.delete(path);
}

const reloadKey = (path: string) => `typed.${path}`;

/** Stores what was typed while the page is loaded again. A tab deletes it when it is closed. */
function storeForReload(path: string, typed: TypedForm | undefined): void {
  try {
    if (typed) sessionStorage.setItem(reloadKey(path), JSON.stringify(typed));
    else sessionStorage.removeItem(reloadKey(path));
  } catch {
    // The browser blocks storage, so a reload empties the form.
  }
}

function takeStoredForReload(path: string): TypedForm | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(reloadKey(path)) ?? "");
    if (!isRecord(stored) || !isRecord(stored.values)) return undefined;
    return { values: readTexts(stored.values), hadFiles: stored.hadFiles === true };
  } catch {
    return undefined;
  } finally {
    storeForReload(path, undefined);
  }
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
  const isOffered = () => unsentForm(path).read() !== null;
  const onLeave = () => storeForReload(path, isOffered() ? undefined : typedForms.get(path));
  const stored = survivesReload ? takeStoredForReload(path) : undefined;
  const typed = typedForms.get(path) ?? (isOffered() ? undefined : stored);
  if (typed) {
    typedForms.set(path, typed);
    fillForm(form, typed);
  }
  if (survivesReload) addEventListener("pagehide", onLeave);
  const keep = () => {
    const data = new FormData(form);
    if (hasFiles(data)) areFilesLost.write(false);
    const hadFiles = hasFiles(data) || areFilesLost.read();
    if (isConfidential(path, data)) typedForms.delete(path);
    else typedForms.set(path, { values: readTypedValues(data), hadFiles });
  };
  // The reader may have typed before the page was hydrated.
  if (!typed && hasTypedText(form)) keep();
  form.addEventListener("input", keep);
  return () => {
    areFilesLost.write(false);
    form.removeEventListener("input", keep);
    removeEventListener("pagehide", onLeave);
  };
}
