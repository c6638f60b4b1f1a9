/**
 * A form that the server received. Only a form with files can be another kind than "whole"; it then
 * has only its text fields.
 */
export type PostedForm = { kind: "whole" | "too-large" | "busy"; form: FormData };

/** The limit without files. Our longest text fits, although a letter may take nine bytes. */
export const maxTextBytes = 256 * 1024;

export const busyMessage =
  "We are receiving many photos right now. Please send yours again in a minute.";

/** Returns the text of a field, or "" if it is missing or a file. The database accepts no NUL. */
export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}
