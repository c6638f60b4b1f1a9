import { appContext } from "../context.ts";
import { adDisclosures, adsFile } from "../features/ads/files.server.ts";
import { deskDisclosures, deskFile } from "../features/desk/files.server.ts";
import { ForgetButton } from "../features/device/forget-button.tsx";
import { embedDisclosures, embedsFile } from "../features/embeds/files.server.ts";
import { privacyFile, toLegalText } from "../features/legal/files.server.ts";
import { LegalPage } from "../features/legal/legal-page.tsx";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/privacy.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const disclosures = [
    ...adDisclosures(site.read(adsFile)),
    ...embedDisclosures(site.read(embedsFile)),
    ...deskDisclosures(site.read(deskFile)),
  ];
  return toLegalText(site.read(privacyFile), disclosures);
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { title, description } = loaderData;
  return pageMeta(root.loaderData.site, { title, description, path: "/privacy" });
}

export default function PrivacyRoute({ loaderData }: Route.ComponentProps) {
  return (
    <LegalPage text={loaderData} other={{ title: "Terms of Service", to: "/terms" }}>
      <ForgetButton />
    </LegalPage>
  );
}
