/**
 * A form that the server received. If its files are too large, or the server is too busy for them,
 * `form` contains only the text fields.
 */
export type PostedForm = { kind: "whole" | "too-large" | "busy"; form: FormData };

/**
 * How large a form without files may be, or the text fields of one with files. The longest text that
 * our forms allow is smaller, although a letter may take nine bytes when it is encoded.
 */
export const maxTextBytes = 256 * 1024;

export const busyMessage =
  "We are receiving many photos right now. Please send yours again in a minute.";

/**
 * Returns the text of a field, or an empty string if the field is missing or is a file. The database
 * accepts no NUL, and nobody types one.
 */
export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}
