import { data } from "react-router";
import { appContext } from "../context.ts";
import { contactFile } from "../features/brand/contact-file.server.ts";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { unsubscribePath } from "../features/newsletter/model.ts";
import { UnsubscribePage } from "../features/newsletter/pages/unsubscribe-page.tsx";
import {
  readUnsubscribeToken,
  unsubscribe,
} from "../features/newsletter/subscribers/unsubscribe.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/newsletter-unsubscribe.ts";

// The token in the URL protects this form, so the page that sends it does not matter.
export const handle = { cache: "none", formFromAnySite: true } satisfies RouteHandle;

const readToken = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { site, db } = context.get(appContext);
  const { heading, pitch, image } = site.read(newsletterFile);
  const token = readToken(url);
  const isValidLink = (await readUnsubscribeToken(db, token)) !== null;
  return {
    texts: { heading, pitch, image, email: site.read(contactFile).email },
    token,
    isValidLink,
  };
}

/**
 * Requests come from our own button, or from a mail provider's server (one-click unsubscribe, RFC
 * 8058), which sends neither a Referer nor an Origin header.
 */
export async function action({ url, context }: Route.ActionArgs) {
  const isUnsubscribed = await unsubscribe(context.get(appContext).db, readToken(url));
  return isUnsubscribed ? { isUnsubscribed } : data({ isUnsubscribed }, { status: 422 });
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, {
    title: `Unsubscribe: ${loaderData.texts.heading}`,
    description: loaderData.texts.pitch,
    path: unsubscribePath,
    index: false,
  });
}

export default function UnsubscribeRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <UnsubscribePage {...loaderData} isUnsubscribed={actionData?.isUnsubscribed === true} />;
}
