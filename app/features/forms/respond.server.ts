import { data } from "react-router";
import type { Services } from "../../platform/services.ts";
import type { Refusal } from "./model.ts";

/**
 * The answer of an action: a refusal with its status, or that the entry is stored, whose notice
 * then goes out at once.
 */
export function respondToForm(result: { kind: "stored" } | Refusal, mail: Services["mail"]) {
  if (result.kind === "refused") return data(result, { status: result.status });
  mail.wake();
  return { kind: result.kind };
}
