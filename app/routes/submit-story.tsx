import { data } from "react-router";
import { appContext } from "../context.ts";
import { submitStoryFile } from "../features/community/files.server.ts";
import { submitPath } from "../features/community/model.ts";
import { keepStory, storyForm } from "../features/community/submissions.server.ts";
import { SubmitPage } from "../features/community/submit-page.tsx";
import { newToken, receiveForm } from "../features/forms/receive.server.ts";
import { pageMeta } from "../features/seo/meta.ts";
import { readForm } from "../lib/form.ts";
import type { Route } from "./+types/submit-story.ts";

export const handle = { page: { cache: "none" } };

export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, clock } = context.get(appContext);
  return { texts: site.read(submitStoryFile), token: await newToken({ db, clock }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const { db, clock } = services;
  const result = await receiveForm(storyForm, await readForm(request), services, (story, key) =>
    keepStory(db, clock, story, key),
  );
  return result.kind === "kept" ? { kind: result.kind } : data(result, { status: result.status });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description } = loaderData.texts;
  return pageMeta(matches[0].loaderData?.site, { title, description, path: submitPath, index: false });
}

export default function SubmitStoryRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SubmitPage texts={loaderData.texts} token={loaderData.token} result={actionData} />;
}
