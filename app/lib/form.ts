import { data } from "react-router";

/**
 * The fields of a posted form; a body that is not a form is the sender's mistake, not a fault of
 * ours.
 */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
}

/** The text of a field: empty when it is missing or a file. */
export function formField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
