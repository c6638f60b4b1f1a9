import { data } from "react-router";
import { appContext } from "../context.ts";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { confirmPath } from "../features/newsletter/model.ts";
import { ConfirmPage } from "../features/newsletter/pages/confirm-page.tsx";
import {
  checkConfirmLink,
  confirmSubscription,
} from "../features/newsletter/subscribers/subscribe.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/newsletter-confirm.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

const readToken = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { site, db, clock } = context.get(appContext);
  const { heading, pitch, image, confirmation } = site.read(newsletterFile);
  const token = readToken(url);
  const link = await checkConfirmLink(db, clock, token);
  return { texts: { heading, pitch, image, button: confirmation.button }, token, link };
}

export async function action({ url, context }: Route.ActionArgs) {
  const { db, clock } = context.get(appContext);
  const result = await confirmSubscription(db, clock, readToken(url));
  return result === "confirmed" || result === "used" ? result : data(result, { status: 422 });
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, {
    title: `Confirm: ${loaderData.texts.heading}`,
    description: loaderData.texts.pitch,
    path: confirmPath,
    index: false,
  });
}

export default function ConfirmRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmPage {...loaderData} result={actionData} />;
}
