import { data } from "react-router";
import type { Services } from "../../platform/services.ts";
import type { Refusal } from "./model.ts";

/**
 * The result of a form's action: a refusal with its status, or that the form is stored. In that
 * case the email to the newsroom is sent at once.
 */
export function respondToForm(result: { kind: "stored" } | Refusal, mail: Services["mail"]) {
  if (result.kind === "refused") return data(result, { status: result.status });
  mail.wake();
  return { kind: result.kind };
}
