import { data, isRouteErrorResponse } from "react-router";
import { type Refusal, spamTrapField, tokenField } from "./model.ts";

const connectionError =
  "We do not know whether your form has reached us. Nothing you typed is lost: please check your connection, wait a minute and press the button once more. It will not arrive twice.";

/**
 * Sends a form from the browser. When the server has not even read it, because the network failed
 * or a limit was reached, the page stays with all that was typed, instead of giving way to an error
 * page.
 */
export async function sendForm<T>(request: Request, serverAction: () => Promise<T>) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    // A redirect, which the router follows.
    if (error instanceof Response) throw error;
    const summary =
      isRouteErrorResponse(error) && typeof error.data === "string" ? error.data : connectionError;
    const refusal: Refusal = {
      kind: "refused",
      status: 503,
      summary,
      errors: {},
      typed: readTexts(form),
    };
    // With the status of a failure, the router does not load the page again, which would fail as
    // well.
    return data(refusal, { status: refusal.status });
  }
}

const readTexts = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === "string" && name !== tokenField && name !== spamTrapField
        ? [[name, value]]
        : [],
    ),
  );
