import { data } from "react-router";

/**
 * Reads the fields of a posted form. A body that is not a form is the sender's mistake, so the
 * response is 400, not 500.
 */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
}

/** Returns the text of a field, or an empty string if the field is missing or is a file. */
export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
