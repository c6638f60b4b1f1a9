import { data } from "react-router";
import { appContext } from "../context.ts";
import { receiveForm } from "../features/forms/receive.server.ts";
import { sendForm } from "../features/forms/send-form.ts";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { readShownIssue } from "../features/newsletter/issues/shown-issue.server.ts";
import { newsletterPath } from "../features/newsletter/model.ts";
import { NewsletterPage, type Subscribed } from "../features/newsletter/pages/newsletter-page.tsx";
import { newsletterRule, subscribe } from "../features/newsletter/subscribers/subscribe.server.ts";
import { revalidateUnlessFormSent } from "../lib/http/revalidation.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/newsletter.ts";

/** The form contains only one email address. */
const formBytes = 8 * 1024;

export const handle = { cache: "none", formBytes } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { heading, pitch, image } = services.site.read(newsletterFile);
  return { heading, pitch, image, issue: await readShownIssue(services) };
}

export async function action({ context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const { site, mail } = services;
  const perHour = site.read(newsletterFile).confirmationsPerHour;
  const result = await receiveForm(
    newsletterRule,
    services.readForm().form,
    services,
    ({ email }) => subscribe({ ...services, perHour }, email),
  );
  if (result.kind === "refused") return data(result, { status: result.status });
  mail.wake();
  return { kind: "subscribed", mail: mail.kind, ...result.values } satisfies Subscribed;
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction);

export const shouldRevalidate = revalidateUnlessFormSent;

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, {
    title: loaderData.heading,
    description: loaderData.pitch,
    path: newsletterPath,
    index: false,
  });
}

export default function NewsletterRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <NewsletterPage texts={loaderData} issue={loaderData.issue} result={actionData} />;
}
