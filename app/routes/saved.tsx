import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { savedDescription } from "../features/saved/feature.server.ts";
import { SavedPage } from "../features/saved/saved-page.tsx";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/saved.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site, offlineCopies } = context.get(appContext);
  const { name } = site.read(siteSettingsFile);
  return { name, description: savedDescription, offlineCopies };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { description } = loaderData;
  return pageMeta(root.loaderData.site, {
    title: "Saved",
    description,
    path: "/saved",
  });
}

export default function SavedRoute({ loaderData }: Route.ComponentProps) {
  const { name, offlineCopies } = loaderData;
  return <SavedPage siteName={name} canReadOffline={offlineCopies} />;
}
