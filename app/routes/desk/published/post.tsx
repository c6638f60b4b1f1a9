import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { type ItemRefusal, itemPath, postActions } from "../../../features/desk/published/model.ts";
import { PostPage } from "../../../features/desk/published/pages/post-page.tsx";
import { changeDeskPost } from "../../../features/desk/published/posts/change.server.ts";
import {
  describeDeskPost,
  findDeskPost,
} from "../../../features/desk/published/posts/find.server.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/post.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const post = await findDeskPost(services, args.params.slug);
  if (!post) throw await missingPage(services);
  return describeDeskPost(services, post);
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { form } = services.readForm();
  const wanted = postActions.find((each) => each === readField(form, "action"));
  if (!wanted) throw data(null, { status: 400 });
  const typed = readField(form, "text");
  const change = { slug: args.params.slug, action: wanted, typed, editor };
  const outcome = await changeDeskPost(services, change);
  if (outcome.kind === "missing") throw await missingPage(services);
  if (outcome.kind === "done") throw redirect(itemPath("post", outcome.slug));
  const refusal: ItemRefusal = { action: wanted, message: outcome.message, typed };
  return data(refusal, { status: 422 });
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedPostRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <PostPage {...loaderData} refusal={actionData} />;
}
