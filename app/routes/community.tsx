import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { CommunityPage } from "../features/community/community-page.tsx";
import { communityFile, localStoryCount } from "../features/community/files.server.ts";
import { readListings, showListings } from "../features/community/listings.server.ts";
import { NewsGrid } from "../features/stories/pages/news-grid.tsx";
import { readNewestLocalStories } from "../features/stories/stories.server.ts";
import { CityImage } from "../ui/city-image.tsx";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/community.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const { title, description, hero, stories, volunteer, resources } = site.read(communityFile);
  const listings = await readListings(services);
  const content = {
    head: { title, description },
    texts: {
      hero,
      stories: { heading: stories.heading, text: stories.text },
      volunteer: { ...volunteer, items: showListings(services, listings.volunteer) },
      resources: {
        ...resources,
        groups: listings.groups
          .map(({ name, links }) => ({ name, links: showListings(services, links) }))
          .filter(({ links }) => links.length > 0),
      },
    },
    stories: await readNewestLocalStories(services, stories.items, localStoryCount),
  };
  const findAdRow = await prepareAdRows(services, "community", content);
  return { ...content, ads: findAdRow("end") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  return pageMeta(root.loaderData.site, { ...loaderData.head, path: "/community" });
}

export default function CommunityRoute({ loaderData }: Route.ComponentProps) {
  const { texts, stories, ads } = loaderData;
  return (
    <>
      <CommunityPage
        texts={texts}
        heroImage={
          <CityImage
            image={texts.hero.image}
            load="first"
            sizes="story"
            className="w-full rounded-sm"
          />
        }
        stories={<NewsGrid stories={stories} />}
      />
      <AdRow row={ads} />
    </>
  );
}
