import { data } from "react-router";
import { appContext } from "../context.ts";
import { receiveForm } from "../features/forms/receive.server.ts";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { NewsletterPage } from "../features/newsletter/newsletter-page.tsx";
import { keepAddress, newsletterForm } from "../features/newsletter/subscribe.server.ts";
import { pageMeta } from "../features/seo/meta.ts";
import { readForm } from "../lib/form.ts";
import type { Route } from "./+types/newsletter.ts";

export const handle = { page: { cache: "none" } };

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).site.read(newsletterFile);
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(appContext);
  const { db, clock } = services;
  const result = await receiveForm(newsletterForm, await readForm(request), services, ({ email }) =>
    keepAddress(db, clock, email),
  );
  return result.kind === "kept"
    ? { kind: result.kind, ...result.values }
    : data(result, { status: result.status });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return pageMeta(matches[0].loaderData?.site, {
    title: loaderData.heading,
    description: loaderData.pitch,
    path: "/newsletter",
    index: false,
  });
}

export default function NewsletterRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <NewsletterPage texts={loaderData} result={actionData} />;
}
