import { appContext } from "../context.ts";
import { termsFile } from "../features/legal/files.server.ts";
import { LegalPage } from "../features/legal/legal-page.tsx";
import { toLegalText } from "../features/legal/legal-text.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/terms.ts";

export function loader({ context }: Route.LoaderArgs) {
  return toLegalText(context.get(appContext).site.read(termsFile));
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description } = loaderData;
  return pageMeta(loaderDataOf(matches, "root")?.site, { title, description, path: "/terms" });
}

export default function TermsRoute({ loaderData }: Route.ComponentProps) {
  return <LegalPage text={loaderData} other={{ title: "Privacy Policy", to: "/privacy" }} />;
}
