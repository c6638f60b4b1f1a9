import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { versionsPath } from "../../../features/desk/published/model.ts";
import { VersionsPage } from "../../../features/desk/published/pages/versions-page.tsx";
import { findDeskPost } from "../../../features/desk/published/posts/find.server.ts";
import {
  describePostVersions,
  restorePostVersion,
} from "../../../features/desk/published/posts/versions.server.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/post-versions.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const post = await findDeskPost(services, args.params.slug);
  if (post?.kind !== "row") throw await missingPage(services);
  return describePostVersions(services, post.row, Number(args.url.searchParams.get("version")));
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { slug } = args.params;
  const post = await findDeskPost(services, slug);
  const number = Number(readField(services.readForm().form, "version"));
  if (post?.kind !== "row" || !(await restorePostVersion(services, post.row, number, editor)))
    throw await missingPage(services);
  throw redirect(versionsPath("post", slug));
}

export const meta = () => [{ title: "Versions – The desk" }];

export default function PostVersionsRoute({ loaderData }: Route.ComponentProps) {
  return <VersionsPage {...loaderData} kind="post" />;
}
