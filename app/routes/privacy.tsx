import { appContext } from "../context.ts";
import { privacyFile } from "../features/legal/files.server.ts";
import { LegalPage } from "../features/legal/legal-page.tsx";
import { legalText } from "../features/legal/legal-text.server.ts";
import { pageMeta } from "../features/seo/meta.ts";
import type { Route } from "./+types/privacy.ts";

export function loader({ context }: Route.LoaderArgs) {
  return legalText(context.get(appContext).site.read(privacyFile));
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description } = loaderData;
  return pageMeta(matches[0].loaderData?.site, { title, description, path: "/privacy" });
}

export default function PrivacyRoute({ loaderData }: Route.ComponentProps) {
  return <LegalPage text={loaderData} other={{ title: "Terms of Service", to: "/terms" }} />;
}
