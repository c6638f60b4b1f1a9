import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { toStatusRows } from "../features/feeds/health/health.server.ts";
import { StatusPage } from "../features/feeds/pages/status-page.tsx";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/status.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const { site, readSourceHealth } = context.get(appContext);
  const { timeZone } = site.read(siteSettingsFile);
  const sources = await readSourceHealth();
  return { sources: toStatusRows(sources, site.read(sectionsFile), timeZone) };
}

export function meta({ matches: [root] }: Route.MetaArgs) {
  const description =
    "The status of each of our sources: when it last responded, and what went wrong if it did not.";
  return pageMeta(root.loaderData.site, {
    title: "Sources",
    description,
    path: "/status",
    index: false,
  });
}

export default function StatusRoute({ loaderData }: Route.ComponentProps) {
  return <StatusPage sources={loaderData.sources} />;
}
