import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { listItemKinds, toItemKind } from "../../../features/desk/published/model.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { createDraft, openDraftFor } from "../../../features/desk/write/drafts.server.ts";
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
import type { Services } from "../../../platform/services.ts";
import type { Route } from "./+types/drafts.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const path = args.url.searchParams.get(publishedParam) ?? "";
  return {
    kinds: listWritableKinds(desk),
    drafts: await showDrafts(desk),
    published: /^\/(?:news|blog|events)\/[\w-]+$/.test(path) ? path : null,
  };
}

/** Posts of another backend are written there. */
const listWritableKinds = ({ site, blogBackend }: Pick<Services, "site" | "blogBackend">) =>
  listItemKinds(site).filter((kind) => kind !== "post" || !blogBackend);

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { form } = desk.readForm();
  const item = readField(form, "item");
  const kind = toItemKind(readField(form, kindField));
  if (!kind || !listWritableKinds(desk).includes(kind)) throw redirect(writePath);
  const id = item === "" ? await createDraft(desk, kind) : await openDraftFor(desk, kind, item);
  throw redirect(id === null ? writePath : draftPath(id));
}

export const meta = () => [{ title: "Write – The desk" }];

export default function WriteRoute({ loaderData }: Route.ComponentProps) {
  return <DraftsPage {...loaderData} />;
}
