import type { ShouldRevalidateFunctionArgs } from "react-router";
import { readField } from "../../../lib/form.ts";
import { describeFailure, sendForm } from "../../forms/send-form.ts";
import { deleteUnsentForm } from "../../forms/unsent/unsent-form.ts";
import { deskPath, openPath, unsentField } from "../model.ts";

const connectionError =
  "The connection failed, and we do not know whether this arrived. Nothing you typed is lost. Look in another tab before you press the button again.";

export const describeDeskFailure = (error: unknown): string =>
  describeFailure(error, connectionError);

/**
 * Sends a form. If the connection fails, the page stays with everything on it. What was typed into a
 * form with `StoredText` stays on the device until the server has stored it. An action redirects only
 * after it has stored everything, or to sign in: `openDesk` redirects to `deskPath` or `openPath`.
 */
export async function sendDeskForm<T>({
  request,
  serverAction,
}: {
  request: Request;
  serverAction: () => Promise<T>;
}) {
  const unsentPath = readField(await request.clone().formData(), unsentField);
  try {
    return await sendForm(request, serverAction, undefined, connectionError);
  } catch (response) {
    const target = response instanceof Response ? response.headers.get("Location") : null;
    if (unsentPath && target?.startsWith(`${deskPath}/`) && !target.startsWith(openPath))
      deleteUnsentForm(unsentPath);
    throw response;
  }
}

/** Somebody else may have changed it meanwhile: the page then shows that, and not its old buttons. */
export const revalidateIfRefused = ({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => actionStatus === 422 || defaultShouldRevalidate;
