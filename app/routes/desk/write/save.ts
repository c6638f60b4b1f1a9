import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { markClosed } from "../../../features/desk/write/drafts.server.ts";
import { draftPath, intentField, maxFormBytes } from "../../../features/desk/write/model.ts";
import { receiveSave } from "../../../features/desk/write/receive.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/save.ts";

export const handle = { cache: "none", formBytes: maxFormBytes } satisfies RouteHandle;

const statuses = { saved: 200, conflict: 409, gone: 404, "too-large": 413 };

/** Nobody opens this path. The page of the draft sends to it. */
export async function loader(args: Route.LoaderArgs) {
  await openDesk(args.context.get(appContext), args);
  throw redirect(draftPath(args.params.id));
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { form } = desk.readForm();
  if (readField(form, intentField) === "close") {
    await markClosed(desk, args.params.id);
    return new Response(null, { status: 204 });
  }
  const response = await receiveSave(desk, args.params.id, form);
  return Response.json(response, { status: statuses[response.kind] });
}
