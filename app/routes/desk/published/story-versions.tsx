import { redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { versionsPath } from "../../../features/desk/published/model.ts";
import { VersionsPage } from "../../../features/desk/published/pages/versions-page.tsx";
import {
  describeVersions,
  restoreVersion,
} from "../../../features/desk/published/restore-story.server.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { findStoryRow } from "../../../features/stories/desk/rows.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/story-versions.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const row = await findStoryRow(services.db, { slug: args.params.slug });
  if (!row) throw await missingPage(services);
  return describeVersions(services, row, Number(args.url.searchParams.get("version")));
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { slug } = args.params;
  const row = await findStoryRow(services.db, { slug });
  const number = Number(readField(services.readForm().form, "version"));
  if (!row || !(await restoreVersion(services, row, number, editor)))
    throw await missingPage(services);
  throw redirect(versionsPath("story", slug));
}

export const meta = () => [{ title: "Versions – The desk" }];

export default function StoryVersionsRoute({ loaderData }: Route.ComponentProps) {
  return <VersionsPage {...loaderData} kind="story" />;
}
