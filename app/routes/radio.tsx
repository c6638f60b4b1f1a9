import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { radioFile } from "../features/radio/files.server.ts";
import { RadioPage } from "../features/radio/radio-page.tsx";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/radio.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  return { texts: site.read(radioFile), siteName: site.read(siteSettingsFile).name };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description } = loaderData.texts;
  return pageMeta(loaderDataOf(matches, "root")?.site, { title, description, path: "/radio" });
}

export default function RadioRoute({ loaderData }: Route.ComponentProps) {
  return <RadioPage {...loaderData} />;
}
