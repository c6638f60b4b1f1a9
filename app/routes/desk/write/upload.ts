import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { findDraft } from "../../../features/desk/write/drafts.server.ts";
import { receiveImage } from "../../../features/desk/write/images.server.ts";
import { draftPath, maxFormBytes } from "../../../features/desk/write/model.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/upload.ts";

export const handle = {
  cache: "none",
  acceptsFiles: true,
  formBytes: maxFormBytes,
} satisfies RouteHandle;

/** Nobody opens this path. The page of the draft sends to it. */
export async function loader(args: Route.LoaderArgs) {
  await openDesk(args.context.get(appContext), args);
  throw redirect(draftPath(args.params.id));
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  if (!(await findDraft(desk.db, args.params.id)))
    return new Response("This draft was deleted.\n", { status: 404 });
  const posted = desk.readForm();
  const response = await receiveImage(desk, args.params.id, posted);
  return posted.kind === "busy"
    ? new Response("Busy.\n", { status: 503 })
    : Response.json(response);
}
