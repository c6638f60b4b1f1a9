import { data } from "react-router";
import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { publishedPosts } from "../features/blog/posts/published.server.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import {
  parseArchiveFilter,
  readArchive,
  toArchiveParams,
} from "../features/feeds/listing/archive.server.ts";
import { findExpandedFeed, readSection } from "../features/feeds/listing/content.server.ts";
import { findFollowed } from "../features/feeds/listing/filtered.server.ts";
import { archiveSection, expandedParam } from "../features/feeds/model.ts";
import { ArchiveIndex, SourcePage } from "../features/feeds/pages/archive-index.tsx";
import { SectionPage } from "../features/feeds/pages/section-page.tsx";
import { readArchivedStories } from "../features/stories/listing/list.server.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { Follow } from "../ui/share/follow.tsx";
import type { Route } from "./+types/archives.ts";

const filters = ["month", "section", "source", "page"];
export const handle = { queryParams: [expandedParam, ...filters] } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const { searchParams } = url;
  const sections = site.read(sectionsFile);
  const expandedFeed = findExpandedFeed(services, archiveSection, searchParams);
  const filter = parseArchiveFilter(searchParams, sections);
  requireCanonicalUrl(url, { [expandedParam]: expandedFeed, ...toArchiveParams(filter) });
  const content = await readSection(services, archiveSection, expandedFeed);
  if (!content) throw new Response("This city has no archive page.", { status: 404 });
  const posts = await publishedPosts(services);
  const { stories, firstMonth } = await readArchivedStories(services, filter);
  const archive = await readArchive(services, sections, { posts, stories, firstMonth }, filter);
  const month = archive.months.find(({ month }) => month === filter.month)?.month ?? null;
  requireCanonicalUrl(url, {
    [expandedParam]: expandedFeed,
    ...toArchiveParams({ ...filter, month }),
  });
  if (filter.page > 1 && archive.headlines.length === 0) throw data(null, { status: 404 });
  const otherParams = [...searchParams].filter(([name]) => filters.includes(name));
  const findAdRow = await prepareAdRows(services, "archives", { content, archive });
  const followed = findFollowed(services, filter, content.head.heading);
  return { ...content, otherParams, archive, followed, ads: findAdRow("afterFirst") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { head, archive, followed } = loaderData;
  const { heading, description } = head;
  const { filterLabel, sourceName } = archive;
  const title = sourceName ? filterLabel : [heading, filterLabel].filter(Boolean).join(": ");
  return [
    ...pageMeta(root.loaderData.site, { title, description, path: "/archives" }),
    ...feedLinks(followed.feed.path, followed.title, followed.feed.query),
  ];
}

export default function ArchivesRoute({ loaderData, matches }: Route.ComponentProps) {
  const { head, otherParams, feeds, archive, followed, ads } = loaderData;
  const follow = <Follow origin={matches[0].loaderData.site.origin} {...followed} />;
  const adRow = <AdRow row={ads} />;
  const { sourceName } = archive;
  if (sourceName) return <SourcePage name={sourceName} {...{ archive, follow, ads: adRow }} />;
  return (
    <SectionPage
      head={head}
      page="/archives"
      otherParams={otherParams}
      feeds={feeds}
      follow={follow}
      ads={adRow}
    >
      <ArchiveIndex archive={archive} />
    </SectionPage>
  );
}
