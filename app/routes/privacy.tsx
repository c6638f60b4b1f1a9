import { appContext } from "../context.ts";
import { adNotices, adsFile } from "../features/ads/files.server.ts";
import { deskFile, deskNotices } from "../features/desk/files.server.ts";
import { ForgetButton } from "../features/device/forget-button.tsx";
import { embedNotices, embedsFile } from "../features/embeds/files.server.ts";
import { privacyFile } from "../features/legal/files.server.ts";
import { LegalPage } from "../features/legal/legal-page.tsx";
import { toLegalText } from "../features/legal/legal-text.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/privacy.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const notices = [
    ...adNotices(site.read(adsFile)),
    ...embedNotices(site.read(embedsFile)),
    ...deskNotices(site.read(deskFile)),
  ];
  return toLegalText(site.read(privacyFile), notices);
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description } = loaderData;
  return pageMeta(loaderDataOf(matches, "root")?.site, { title, description, path: "/privacy" });
}

export default function PrivacyRoute({ loaderData }: Route.ComponentProps) {
  return (
    <LegalPage text={loaderData} other={{ title: "Terms of Service", to: "/terms" }}>
      <ForgetButton />
    </LegalPage>
  );
}
