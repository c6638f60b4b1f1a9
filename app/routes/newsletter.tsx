import { data } from "react-router";
import { appContext } from "../context.ts";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { NewsletterPage } from "../features/newsletter/newsletter-page.tsx";
import { signUp } from "../features/newsletter/subscribe.server.ts";
import { pageMeta } from "../features/seo/meta.ts";
import { formField, readForm } from "../lib/form.ts";
import type { Route } from "./+types/newsletter.ts";

const statusOf = { pending: 200, refused: 422, failed: 503 };

export const handle = { page: { cache: "none" } };

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).site.read(newsletterFile);
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, clock, log } = context.get(appContext);
  const result = await signUp(db, clock, log, formField(await readForm(request), "email"));
  return data(result, { status: statusOf[result.kind] });
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
