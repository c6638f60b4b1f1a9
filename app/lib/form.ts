/**
 * A form that the server received. Only a form with files can be another kind than "whole"; it then
 * has only the fields at its beginning, and may lack those after its files.
 */
export type PostedForm = { kind: "whole" | "too-large" | "busy"; form: FormData };

/**
 * How large a form without files may be, or the text fields of a form with files. The longest text
 * that our forms allow fits, although a letter may take nine bytes when it is encoded.
 */
export const maxTextBytes = 256 * 1024;

export const busyMessage =
  "We are receiving many photos right now. Please send yours again in a minute.";

/**
 * Returns the text of a field, or an empty string if the field is missing or is a file. NUL is
 * removed, because the database does not accept it.
 */
export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}
