import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { notSent, waitingPath } from "../../../features/desk/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { itemPath, noticeParam } from "../../../features/desk/waiting/model.ts";
import { undoDecision } from "../../../features/desk/waiting/undo.server.ts";
import { sendForm } from "../../../features/forms/send-form.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/undo.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** The path is only for the form of the button. */
export async function loader(args: Route.LoaderArgs) {
  await requireEditor(args.context.get(appContext), args);
  throw redirect(waitingPath);
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const id = readField(services.readForm().form, "undo");
  const { kind, message } = await undoDecision({ ...services, editor }, id);
  const path = message ? itemPath({ kind: "message", id: message }) : waitingPath;
  throw redirect(`${path}?${noticeParam}=${kind}`);
}

/** Without a connection, the editor can press the button again. */
export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, undefined, notSent);
