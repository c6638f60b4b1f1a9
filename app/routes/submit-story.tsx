import { data } from "react-router";
import { appContext } from "../context.ts";
import { findRecipients } from "../features/desk/mail/queue.server.ts";
import { createToken } from "../features/forms/receive.server.ts";
import { sendForm } from "../features/forms/send-form.ts";
import { submitStoryFile } from "../features/stories/files.server.ts";
import { SubmitPage } from "../features/stories/pages/submit-page.tsx";
import { maxFormBytes, submitPath } from "../features/stories/readers/model.ts";
import { receiveStory } from "../features/stories/readers/submissions.server.ts";
import { revalidateUnlessFormSent } from "../lib/http/revalidation.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/submit-story.ts";

export const handle = {
  cache: "none",
  acceptsFiles: true,
  formBytes: maxFormBytes,
} satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, clock } = context.get(appContext);
  const { picture: _placeholder, ...texts } = site.read(submitStoryFile);
  return { texts, token: await createToken({ db, clock }) };
}

export async function action({ context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const receiver = { ...services, recipients: findRecipients(services.site) };
  const result = await receiveStory(services.readForm(), receiver);
  if (result.kind === "refused") return data(result, { status: result.status });
  services.mail.wake();
  return { kind: result.kind };
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, submitPath);

export const shouldRevalidate = revalidateUnlessFormSent;

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { title, description } = loaderData.texts;
  return pageMeta(root.loaderData.site, {
    title,
    description,
    path: submitPath,
    index: false,
  });
}

export default function SubmitStoryRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SubmitPage texts={loaderData.texts} token={loaderData.token} result={actionData} />;
}
