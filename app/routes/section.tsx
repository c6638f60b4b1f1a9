import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { findExpandedFeed, readSection } from "../features/feeds/listing/content.server.ts";
import { SectionPage } from "../features/feeds/pages/section-page.tsx";
import { NewsroomBlock } from "../features/stories/pages/newsroom-block.tsx";
import { readNewsroomBlock } from "../features/stories/stories.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/section.ts";

/** Without JavaScript, `?all=golf` expands a feed. */
export const handle = { page: { params: ["all"] } } satisfies RouteHandle;

/** Each section has its own route, and its name is the path. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const name = url.pathname.slice(1);
  const expandedFeed = findExpandedFeed(services, name, url.searchParams);
  requireCanonicalUrl(url, { all: expandedFeed });
  const { timeZone, network } = site.read(siteSettingsFile);
  const scope = { ...services, timeZone, signature: network };
  const content = await readSection(scope, name, expandedFeed);
  if (!content) throw new Response("This city has no such section.", { status: 404 });
  const stories = await readNewsroomBlock(services, name);
  const adRow = await prepareAdRows(services, "section", { content, stories });
  return { name, ...content, stories, ads: adRow("afterFirst") };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = loaderDataOf(matches, "root")?.site;
  if (!loaderData || !site) return [];
  const { head, name } = loaderData;
  const { heading, description } = head;
  const path = `/${name}`;
  return [
    ...pageMeta(site, { title: heading, description, path }),
    breadcrumbData(site, { name: heading, path }),
    ...feedLinks(`/feeds/${name}`, heading),
  ];
}

export default function SectionRoute({ loaderData }: Route.ComponentProps) {
  const { name, head, feeds, stories, ads } = loaderData;
  return (
    <SectionPage
      key={name}
      head={head}
      page={`/${name}`}
      feeds={feeds}
      newsroom={<NewsroomBlock stories={stories} />}
      feedPath={`/feeds/${name}`}
      ads={<AdRow row={ads} />}
    />
  );
}
