import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { PostsBlock } from "../features/blog/pages/posts-block.tsx";
import { readSectionPosts } from "../features/blog/posts/section-posts.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { readComingEvents } from "../features/events/listing/coming.server.ts";
import { noFilter } from "../features/events/model.ts";
import { EventsBlock } from "../features/events/pages/events-block.tsx";
import { listCategories, sectionsFile } from "../features/feeds/files.server.ts";
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

/** How many posts, and how many events, the column of a section shows. */
const columnCount = 3;

/** Each section has its own route, and its name is the path. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const name = url.pathname.slice(1);
  const expandedFeed = findExpandedFeed(services, name, url.searchParams);
  requireCanonicalUrl(url, { all: expandedFeed });
  const { timeZone, network } = site.read(siteSettingsFile);
  const scope = { ...services, timeZone, signature: network };
  const categories = listCategories(site.read(sectionsFile).sections, name);
  const [section, stories, posts, events] = await Promise.all([
    readSection(scope, name, expandedFeed),
    readNewsroomBlock(services, name),
    readSectionPosts(services, categories, columnCount),
    readComingEvents(services, noFilter, columnCount),
  ]);
  if (!section) throw new Response("This city has no such section.", { status: 404 });
  const content = { ...section, stories, posts, events };
  const adRow = await prepareAdRows(services, "section", content);
  return { name, ...content, ads: adRow("afterFirst") };
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
  const { name, head, feeds, stories, posts, events, ads } = loaderData;
  return (
    <SectionPage
      key={name}
      head={head}
      page={`/${name}`}
      feeds={feeds}
      newsroom={<NewsroomBlock stories={stories} />}
      feedPath={`/feeds/${name}`}
      ads={<AdRow row={ads} />}
      column={
        <>
          <PostsBlock section={head.heading} content={posts} />
          <EventsBlock label="Coming events" events={events} />
        </>
      }
    />
  );
}
