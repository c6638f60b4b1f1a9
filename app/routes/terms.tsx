import { appContext } from "../context.ts";
import { termsFile, toLegalText } from "../features/legal/files.server.ts";
import { LegalPage } from "../features/legal/legal-page.tsx";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/terms.ts";

export function loader({ context }: Route.LoaderArgs) {
  return toLegalText(context.get(appContext).site.read(termsFile));
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { title, description } = loaderData;
  return pageMeta(root.loaderData.site, { title, description, path: "/terms" });
}

export default function TermsRoute({ loaderData }: Route.ComponentProps) {
  return <LegalPage text={loaderData} other={{ title: "Privacy Policy", to: "/privacy" }} />;
}
