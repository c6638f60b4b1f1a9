import { appContext } from "../context.ts";
import { AdColumn, AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { readComingEvents } from "../features/events/listing/coming.server.ts";
import { noFilter } from "../features/events/model.ts";
import { EventsBlock } from "../features/events/pages/event-titles.tsx";
import { moveShownToEnd, readHeadlineBlocks } from "../features/feeds/listing/blocks.server.ts";
import { findExpandedFeed, readSection } from "../features/feeds/listing/content.server.ts";
import { expandedParam, newsSection } from "../features/feeds/model.ts";
import { NewsPage } from "../features/feeds/pages/news-page.tsx";
import { FollowSection } from "../features/feeds/pages/section-page.tsx";
import { storyFeedPath } from "../features/stories/model.ts";
import { NewsroomBlock } from "../features/stories/pages/newsroom-block.tsx";
import { readNewsroomBlock } from "../features/stories/stories.server.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/news.ts";

/** The block of events has as many rows as the others. */
const eventCount = 3;

export const handle = { queryParams: [expandedParam] } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const expandedFeed = findExpandedFeed(services, newsSection, url.searchParams);
  requireCanonicalUrl(url, { [expandedParam]: expandedFeed });
  const stories = await readNewsroomBlock(services);
  const [section, blocks, events] = await Promise.all([
    readSection(services, newsSection, expandedFeed),
    readHeadlineBlocks(services, stories),
    readComingEvents(services, noFilter, eventCount),
  ]);
  if (!section) throw new Response("This city has no news page.", { status: 404 });
  const feeds = moveShownToEnd(section.feeds, blocks);
  const content = { head: section.head, feeds, blocks, stories, events };
  const findAdRow = await prepareAdRows(services, "news", content);
  return {
    ...content,
    ads: { first: findAdRow("first"), column: findAdRow("column"), end: findAdRow("end") },
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { heading, description } = loaderData.head;
  return [
    ...pageMeta(site, { title: heading, description, path: "/news" }),
    ...(import.meta.env.SSR ? [breadcrumbData(site, { name: heading, path: "/news" })] : []),
    ...feedLinks("/feeds/news", heading),
    ...feedLinks(storyFeedPath, "Stories"),
  ];
}

export default function NewsRoute({ loaderData, matches }: Route.ComponentProps) {
  const { head, feeds, blocks, stories, events, ads } = loaderData;
  const { origin } = matches[0].loaderData.site;
  return (
    <>
      <NewsPage
        head={head}
        newsroom={<NewsroomBlock stories={stories} />}
        follow={<FollowSection origin={origin} name="news" title={head.heading} />}
        blocks={blocks}
        events={<EventsBlock label="Events" events={events} />}
        ads={<AdRow row={ads.first} />}
        feeds={feeds}
        column={<AdColumn row={ads.column} />}
      />
      <AdRow row={ads.end} />
    </>
  );
}
