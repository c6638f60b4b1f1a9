import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { radioFile } from "../features/radio/files.server.ts";
import { RadioPage } from "../features/radio/radio-page.tsx";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { stationData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/radio.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const { name, city } = site.read(siteSettingsFile);
  return { texts: site.read(radioFile), siteName: name, city };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = loaderDataOf(matches, "root")?.site;
  if (!loaderData || !site) return [];
  const { texts, city } = loaderData;
  const { title, description } = texts;
  return [
    ...pageMeta(site, { title, description, path: "/radio" }),
    stationData(site, texts, city),
  ];
}

export default function RadioRoute({ loaderData }: Route.ComponentProps) {
  return <RadioPage texts={loaderData.texts} siteName={loaderData.siteName} />;
}
