import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { changeStory } from "../../../features/desk/published/change-story.server.ts";
import {
  type ItemRefusal,
  itemPath,
  storyActions,
} from "../../../features/desk/published/model.ts";
import { StoryPage } from "../../../features/desk/published/pages/story-page.tsx";
import { describeDeskStory, findDeskStory } from "../../../features/desk/published/story.server.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { homeFile } from "../../../features/home/files.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/story.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const story = await findDeskStory(services, args.params.slug);
  if (!story) throw await missingPage(services);
  const featuredCount = services.site.read(homeFile).featured.length;
  return { ...describeDeskStory(services, story), featuredCount };
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { form } = services.readForm();
  const wanted = storyActions.find((each) => each === readField(form, "action"));
  if (!wanted) throw data(null, { status: 400 });
  const typed = readField(form, "text");
  const change = { slug: args.params.slug, action: wanted, typed, editor };
  const outcome = await changeStory(services, change);
  if (outcome.kind === "missing") throw await missingPage(services);
  if (outcome.kind === "done") throw redirect(itemPath("story", outcome.slug));
  const refusal: ItemRefusal = { action: wanted, message: outcome.message, typed };
  return data(refusal, { status: 422 });
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedStoryRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <StoryPage {...loaderData} refusal={actionData} />;
}
