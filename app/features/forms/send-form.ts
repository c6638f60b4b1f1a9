import { data, isRouteErrorResponse } from "react-router";
import { type Refusal, spamTrapField, tokenField } from "./model.ts";

const connectionError =
  "We do not know whether your form reached us. Nothing you typed is lost. Please check your connection, wait a minute and press the button again. We will not receive it twice.";

/**
 * Sends a form from the browser. If the server does not read the form, because the network failed
 * or a limit was reached, the reader sees the form with everything they typed, not an error page.
 */
export async function sendForm<T>(request: Request, serverAction: () => Promise<T>) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    // This is a redirect; the router follows it.
    if (error instanceof Response) throw error;
    const summary =
      isRouteErrorResponse(error) && typeof error.data === "string" ? error.data : connectionError;
    const refusal: Refusal = {
      kind: "refused",
      status: 503,
      summary,
      errors: {},
      typed: readTypedValues(form),
    };
    // With an error status, the router does not reload the page. A reload would fail as well.
    return data(refusal, { status: refusal.status });
  }
}

const readTypedValues = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === "string" && name !== tokenField && name !== spamTrapField
        ? [[name, value]]
        : [],
    ),
  );
