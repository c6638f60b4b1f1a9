import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { describeMissing } from "../../../features/desk/log/desk-paths.server.ts";
import { describeDeskFailure } from "../../../features/desk/pages/send-desk-form.ts";
import { listItemKinds } from "../../../features/desk/published/model.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { findDraft } from "../../../features/desk/write/drafts.server.ts";
import { deleteDeviceCopy } from "../../../features/desk/write/editor/device-copy.ts";
import { DraftPage } from "../../../features/desk/write/editor/draft-page.tsx";
import {
  draftPath,
  maxFormBytes,
  publishedParam,
  titleOf,
  writePath,
} from "../../../features/desk/write/model.ts";
import { receiveDraft } from "../../../features/desk/write/receive.server.ts";
import { showDraft } from "../../../features/desk/write/show.server.ts";
import stylesheet from "../../../features/desk/write/write.css?url";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/draft.ts";

export const handle = { acceptsFiles: true, formBytes: maxFormBytes } satisfies RouteHandle;

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const draft = await findDraft(desk.db, args.params.id);
  if (!draft || !listItemKinds(desk.site).includes(draft.kind))
    throw data(await describeMissing(desk, args.params.id), { status: 404 });
  return showDraft(desk, draft);
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { id } = args.params;
  const result = await receiveDraft(desk, id, desk.readForm());
  switch (result.kind) {
    case "saved":
    case "gone":
      throw redirect(draftPath(id));
    case "deleted":
      throw redirect(writePath);
    case "published":
      throw redirect(`${writePath}?${new URLSearchParams({ [publishedParam]: result.path })}`);
    case "refused":
      return data(result, { status: 422 });
    case "conflict":
      return data(result, { status: 409 });
  }
}

/** If the connection or the server fails, the editor keeps the page with everything on it. */
export async function clientAction({ serverAction, params }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    // The draft was deleted, with what the server could not store.
    if (error instanceof Response && error.headers.get("Location") === writePath)
      deleteDeviceCopy(params.id);
    if (error instanceof Response) throw error;
    return data({ kind: "failed" as const, message: describeDeskFailure(error) }, { status: 503 });
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? titleOf(loaderData.fields) : "Write"} – The desk` },
];

export default function WriteDraftRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <DraftPage key={loaderData.id} content={loaderData} result={actionData} />;
}
