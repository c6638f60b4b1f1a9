import { appContext } from "../context.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { openDeskMail } from "../features/desk/mail/queue.server.ts";
import { createToken } from "../features/forms/receive.server.ts";
import { respondToForm } from "../features/forms/respond.server.ts";
import { sendForm } from "../features/forms/send-form.ts";
import { SubmitPage } from "../features/stories/pages/submit-page.tsx";
import { submitStoryFile } from "../features/stories/readers/files.server.ts";
import { maxFormBytes, submitPath } from "../features/stories/readers/model.ts";
import { receiveStory } from "../features/stories/readers/receive.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { revalidateUnlessFormSent } from "../lib/http/revalidation.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/submit-story.ts";

export const handle = {
  cache: "none",
  files: true,
  formBytes: maxFormBytes,
} satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, clock } = context.get(appContext);
  const { picture: _placeholder, ...texts } = site.read(submitStoryFile);
  return { texts, token: await createToken({ db, clock }) };
}

export async function action({ context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const to = services.site.read(contactFile).email;
  const result = await receiveStory(services.readForm(), {
    ...services,
    to,
    notifyDesk: openDeskMail(services),
  });
  return respondToForm(result, services.mail);
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, submitPath);

export const shouldRevalidate = revalidateUnlessFormSent;

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description } = loaderData.texts;
  return pageMeta(loaderDataOf(matches, "root")?.site, {
    title,
    description,
    path: submitPath,
    index: false,
  });
}

export default function SubmitStoryRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SubmitPage texts={loaderData.texts} token={loaderData.token} result={actionData} />;
}
