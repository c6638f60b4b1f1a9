import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { createDraft, openDraftFor } from "../../../features/desk/write/drafts.server.ts";
import { DraftsPage } from "../../../features/desk/write/editor/drafts-page.tsx";
import { draftPath, publishedParam, writePath } from "../../../features/desk/write/model.ts";
import { showDrafts } from "../../../features/desk/write/show.server.ts";
import stylesheet from "../../../features/desk/write/write.css?url";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/drafts.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const slug = args.url.searchParams.get(publishedParam) ?? "";
  return {
    drafts: await showDrafts(services, editor),
    published: /^[\w-]+$/.test(slug) ? `/news/${slug}` : null,
  };
}

/** Begins a new story, or opens the draft of a published one. */
export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const item = readField(services.readForm().form, "item");
  const id =
    item === ""
      ? await createDraft(services, editor, { kind: "story" })
      : await openDraftFor(services, editor, "story", item);
  throw redirect(id === null ? writePath : draftPath(id));
}

export const meta = () => [{ title: "Write – The desk" }];

export default function WriteRoute({ loaderData }: Route.ComponentProps) {
  return <DraftsPage {...loaderData} />;
}
