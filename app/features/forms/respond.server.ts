import { data } from "react-router";
import type { Services } from "../../platform/services.ts";
import type { Refusal } from "./model.ts";

/**
 * Returns the response to a form: the refusal with its status, or only the kind "stored". After a
 * form is stored, the queued emails are sent at once.
 */
export function respondToForm(result: { kind: "stored" } | Refusal, mail: Services["mail"]) {
  if (result.kind === "refused") return data(result, { status: result.status });
  mail.wake();
  return { kind: result.kind };
}
