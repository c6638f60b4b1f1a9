import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { listItemKinds, toItemKind } from "../../../features/desk/published/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import {
  createDraft,
  maxDrafts,
  openDraftFor,
} from "../../../features/desk/write/drafts.server.ts";
import { DraftsPage } from "../../../features/desk/write/editor/drafts-page.tsx";
import {
  draftPath,
  kindField,
  publishedParam,
  writePath,
} from "../../../features/desk/write/model.ts";
import { showDrafts } from "../../../features/desk/write/show.server.ts";
import stylesheet from "../../../features/desk/write/write.css?url";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Services } from "../../../platform/services.ts";
import type { Route } from "./+types/drafts.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const path = args.url.searchParams.get(publishedParam) ?? "";
  return {
    kinds: listWritableKinds(services),
    drafts: await showDrafts(services, editor),
    published: /^\/(?:news|blog|events)\/[\w-]+$/.test(path) ? path : null,
  };
}

/** Posts of another backend are written there. */
const listWritableKinds = ({ site, blogBackend }: Pick<Services, "site" | "blogBackend">) =>
  listItemKinds(site).filter((kind) => kind !== "post" || !blogBackend);

/** Begins a new draft, or opens the draft of what is published. */
export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { form } = services.readForm();
  const item = readField(form, "item");
  const kind = toItemKind(readField(form, kindField));
  if (!kind || !listWritableKinds(services).includes(kind)) throw redirect(writePath);
  const id =
    item === ""
      ? await createDraft(services, editor, kind)
      : await openDraftFor(services, editor, kind, item);
  if (id === null && item === "")
    return data(`There are ${maxDrafts} drafts. Please delete some before you begin another one.`, {
      status: 422,
    });
  throw redirect(id === null ? writePath : draftPath(id));
}

export const meta = () => [{ title: "Write – The desk" }];

export default function WriteRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <DraftsPage {...loaderData} refusal={actionData} />;
}
