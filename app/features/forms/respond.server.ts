import { data } from "react-router";
import type { Services } from "../../platform/services.ts";
import type { Refusal } from "./model.ts";

/**
 * Returns the response of a form's action: a refusal with its status, or that the form is stored.
 * If it is stored, the server sends the queued email at once.
 */
export function respondToForm(result: { kind: "stored" } | Refusal, mail: Services["mail"]) {
  if (result.kind === "refused") return data(result, { status: result.status });
  mail.wake();
  return { kind: result.kind };
}
