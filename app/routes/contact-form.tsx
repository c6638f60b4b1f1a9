import { data } from "react-router";
import { type AppContext, appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { ContactForm } from "../features/contact/contact-form.tsx";
import { contactPageFile } from "../features/contact/files.server.ts";
import { receiveMessage } from "../features/contact/messages.server.ts";
import type { Topic } from "../features/contact/model.ts";
import { findRecipients } from "../features/desk/mail/queue.server.ts";
import { contactFormPath } from "../features/forms/model.ts";
import { createToken } from "../features/forms/receive.server.ts";
import { sendForm } from "../features/forms/send-form.ts";
import { toUnsentPath } from "../features/forms/unsent/unsent-form.ts";
import { revalidateUnlessFormSent } from "../lib/http/revalidation.ts";
import { isOwnPath } from "../lib/links/own-path.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/contact-form.ts";

const maxPathLength = 200;

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { form } = services.site.read(contactPageFile);
  const requested = url.searchParams.get("category");
  return {
    form,
    token: await createToken(services),
    action: contactFormPath + url.search,
    category: form.categories.find(({ value }) => value === requested)?.value ?? form.preset,
    topic: await findTopic(services, url, false),
  };
}

/** The URL has only the page's path, because everybody can write a link with any title. */
async function findTopic(
  { site, findTitle }: AppContext,
  { searchParams }: URL,
  mayBeMissing: boolean,
): Promise<Topic | null> {
  const path = searchParams.get("about") ?? "";
  const url = site.read(siteSettingsFile).origin + path;
  const title = await findTitle(path);
  if (title !== null) return { title, url };
  // The page may have been removed or moved while the reader wrote.
  return mayBeMissing && path.length <= maxPathLength && isOwnPath(path)
    ? { title: path, url }
    : null;
}

export async function action({ context, url }: Route.ActionArgs) {
  const services = context.get(appContext);
  const { form } = services.readForm();
  const receiver = { ...services, recipients: findRecipients(services.site) };
  const topic = await findTopic(services, url, true);
  const result = await receiveMessage(form, receiver, topic);
  if (result.kind === "refused") return data(result, { status: result.status });
  services.mail.wake();
  return { kind: result.kind };
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, toUnsentPath(request.url));

export const shouldRevalidate = revalidateUnlessFormSent;

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { heading: title } = loaderData.form;
  const page = { title, description: title, path: contactFormPath, index: false };
  return pageMeta(root.loaderData.site, page);
}

export default function ContactFormRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { form, ...shown } = loaderData;
  return (
    <main aria-label={form.heading} className="min-h-dvh bg-surface p-6">
      <ContactForm texts={form} {...shown} result={actionData} />
    </main>
  );
}
