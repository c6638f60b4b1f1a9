import { appContext } from "../context.ts";
import { briefArchivePath, briefFeedPath, briefPath } from "../features/brief/model.ts";
import { readBriefArchive } from "../features/brief/page.server.ts";
import { BriefArchivePage } from "../features/brief/pages/archive-page.tsx";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/brief-archive.ts";

export const handle = { queryParams: ["month"] } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const requested = url.searchParams.get("month") || null;
  const archive = await readBriefArchive(context.get(appContext), requested);
  requireCanonicalUrl(url, { month: requested === archive.month?.value ? requested : null });
  return { archive, isLatest: requested === null };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { archive, isLatest } = loaderData;
  const { heading, month } = archive;
  const path = isLatest || !month ? briefArchivePath : `${briefArchivePath}?month=${month.value}`;
  const title = isLatest || !month ? heading : `${heading}, ${month.label}`;
  return [
    ...pageMeta(site, { title, description: "All briefs of the past year, by month.", path }),
    ...(import.meta.env.SSR
      ? [breadcrumbData(site, { name: "Brief", path: briefPath }, { name: heading, path })]
      : []),
    ...feedLinks(briefFeedPath, heading),
  ];
}

export default function BriefArchiveRoute({ loaderData }: Route.ComponentProps) {
  return <BriefArchivePage archive={loaderData.archive} />;
}
