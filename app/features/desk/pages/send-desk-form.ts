import type { ShouldRevalidateFunctionArgs } from "react-router";
import { sendForm } from "../../forms/send-form.ts";
import { deleteUnsentForm } from "../../forms/unsent/unsent-form.ts";
import { deskPath, openPath } from "../model.ts";

const notSent = "No connection. Nothing was sent; your text is still here.";

/**
 * Sends a form. Without a connection, the page stays with everything on it. What was typed stays on
 * the device, under `unsentPath`, until the server has stored it: the server may ask the editor to
 * sign in instead.
 */
export async function sendDeskForm<T>(
  { request, serverAction }: { request: Request; serverAction: () => Promise<T> },
  unsentPath?: string,
) {
  try {
    return await sendForm(request, serverAction, undefined, notSent);
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
