import { data, isRouteErrorResponse } from "react-router";
import type { Refusal } from "./model.ts";
import { deleteUnsentForm, readTypedValues, storeUnsentForm } from "./unsent/unsent-form.ts";
import { uploadForm } from "./upload.ts";

const connectionError =
  "We do not know whether your form reached us. Nothing you typed is lost. Please check your connection, wait a minute and press the button again. We will not receive it twice.";

/**
 * Sends a form from the browser. If the server does not read the form, because the network failed
 * or a limit was reached, the reader sees the form with everything they typed, not an error page.
 * With the path of the form, the reader's browser also stores what they typed until the form is
 * sent.
 */
export async function sendForm<T>(
  request: Request,
  serverAction: () => Promise<T>,
  path?: string,
  noConnection = connectionError,
) {
  const form = await request.clone().formData();
  try {
    const hasFiles = [...form.values()].some((value) => value instanceof File && value.size > 0);
    const result = await (hasFiles ? uploadForm<T>(request, form) : serverAction());
    if (path && isStored(result)) deleteUnsentForm(path);
    return result;
  } catch (error) {
    // This is a redirect; the router follows it.
    if (error instanceof Response) throw error;
    const summary =
      isRouteErrorResponse(error) && typeof error.data === "string" ? error.data : noConnection;
    if (path && summary === noConnection)
      storeUnsentForm(path, form, { mayHaveArrived: true, now: Date.now() });
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

const isStored = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "kind" in result && result.kind === "stored";
