import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { missingPage } from "../features/failures/missing.server.ts";
import { describeShareImage } from "../features/share-images/describe.server.ts";
import { storyFeedPath, storyPath } from "../features/stories/model.ts";
import { StoryPage } from "../features/stories/pages/story-page.tsx";
import { toShareCard } from "../features/stories/record.server.ts";
import { missingStoryStatus } from "../features/stories/remembered.server.ts";
import { findStoryPage } from "../features/stories/story-page.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData, storyData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/story.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const content = await findStoryPage(services, params.slug);
  if (!content) throw await missingPage(services, await missingStoryStatus(services, params.slug));
  const findAdRow = content.story.hasAds ? await prepareAdRows(services, "story", content) : null;
  const { story } = content;
  const card = toShareCard(story);
  const shareImage = describeShareImage(services.site, { kind: "news", id: story.slug, card });
  return { content, shareImage, ads: findAdRow?.("end") ?? null };
}

const storyFeedLinks = feedLinks(storyFeedPath, "Stories");

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { content, shareImage: image } = loaderData;
  const { story } = content;
  const { slug, title, excerpt, isSample } = story;
  const type = "article" as const;
  const path = storyPath(slug);
  return [
    ...pageMeta(site, { title, description: excerpt, path, type, image, index: !isSample }),
    // Search engines present a NewsArticle as news of its date. A sample is not news.
    ...(import.meta.env.SSR && !isSample
      ? [
          storyData(site, story, content.bylines),
          breadcrumbData(site, { name: "News", path: "/news" }, { name: title, path }),
        ]
      : []),
    ...storyFeedLinks,
  ];
}

export default function StoryRoute({ loaderData }: Route.ComponentProps) {
  const { content, ads } = loaderData;
  return (
    <>
      <StoryPage key={content.story.slug} content={content} />
      <AdRow row={ads} />
    </>
  );
}
