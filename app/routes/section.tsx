import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { PostsBlock } from "../features/blog/pages/posts-block.tsx";
import { EventsBlock } from "../features/events/pages/event-titles.tsx";
import { findExpandedFeed } from "../features/feeds/listing/content.server.ts";
import { expandedParam, localSection } from "../features/feeds/model.ts";
import { FollowSection, SectionPage } from "../features/feeds/pages/section-page.tsx";
import { EmptyPlace } from "../features/places/empty-place.tsx";
import { LocalChips } from "../features/places/place-chips.tsx";
import { listPlaces, requireKnownPlace } from "../features/places/requested.server.ts";
import { readPlaceNews, readSectionNews } from "../features/section-news/read.server.ts";
import { NewsroomBlock } from "../features/stories/pages/newsroom-block.tsx";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { toQueryString } from "../lib/links/query.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/section.ts";

/** Without JavaScript, `?all=golf` expands a feed. On /local, `?place=` selects a neighborhood. */
export const handle = { queryParams: ["place", expandedParam] } satisfies RouteHandle;

/** Each section has its own route, and its name is the path. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const name = url.pathname.slice(1);
  const isLocal = name === localSection;
  const expandedFeed = findExpandedFeed(services, name, url.searchParams);
  const place = isLocal ? requireKnownPlace(services, url.searchParams) : null;
  requireCanonicalUrl(url, { place: place?.slug ?? null, [expandedParam]: expandedFeed });
  const content = place
    ? await readPlaceNews(services, place, expandedFeed)
    : await readSectionNews(services, name, expandedFeed);
  if (!content) throw new Response("This city has no such section.", { status: 404 });
  const findAdRow = await prepareAdRows(services, "section", content);
  const places = isLocal ? listPlaces(services) : [];
  return { name, ...content, places, ads: findAdRow("afterFirst") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { head, name, about } = loaderData;
  const query = toQueryString({ place: about?.place.slug ?? null });
  const path = `/${name}${query}`;
  const parents = about ? [{ name: about.sectionHeading, path: `/${name}` }] : [];
  return [
    ...pageMeta(site, { ...head, title: head.heading, path, index: !about?.isEmpty }),
    ...(import.meta.env.SSR
      ? [breadcrumbData(site, ...parents, { name: about?.place.name ?? head.heading, path })]
      : []),
    ...feedLinks(`/feeds/${name}`, head.heading, query),
  ];
}

export default function SectionRoute({ loaderData, matches }: Route.ComponentProps) {
  const { name, head, feeds, stories, posts, events, about, places, ads } = loaderData;
  const { origin } = matches[0].loaderData.site;
  const place = about?.place ?? null;
  return (
    <SectionPage
      key={name}
      head={head}
      page={`/${name}`}
      otherParams={place ? [["place", place.slug]] : []}
      feeds={feeds}
      follow={<FollowSection origin={origin} name={name} title={head.heading} place={place} />}
      filters={<LocalChips places={places} current={place} />}
      newsroom={about?.isEmpty ? <EmptyPlace {...about} /> : <NewsroomBlock stories={stories} />}
      ads={<AdRow row={ads} />}
      column={
        <>
          <PostsBlock section={place?.name ?? head.heading} content={posts} />
          <EventsBlock label={events.label} events={events.items} filter={events.filter} />
        </>
      }
    />
  );
}
