import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { siteSettingsFile, toPublisher } from "../features/brand/files.server.ts";
import { embedsFile, videoContent } from "../features/embeds/files.server.ts";
import { Video } from "../features/embeds/video.tsx";
import { readHomeEvents } from "../features/events/listing/coming.server.ts";
import { toEventItem } from "../features/events/listing/describe.server.ts";
import { EventCarousel } from "../features/events/pages/carousel.tsx";
import { homeFile } from "../features/home/files.server.ts";
import { Hero } from "../features/home/hero.tsx";
import { DidYouKnow, HomeSection } from "../features/home/home-section.tsx";
import { pickHomeStories, pickLeadStory } from "../features/home/stories.server.ts";
import { readToday } from "../features/home/today.server.ts";
import { TodayStrip } from "../features/home/today-strip.tsx";
import { storyFeedPath } from "../features/stories/model.ts";
import { NewsGrid } from "../features/stories/pages/news-grid.tsx";
import { readPublishedStories } from "../features/stories/stories.server.ts";
import { createImagePicker, findImagePaths } from "../lib/images/art.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { geoMeta, pageMeta } from "../ui/seo/meta.ts";
import { siteData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/home.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const settings = site.read(siteSettingsFile);
  const home = site.read(homeFile);
  const [events, stories] = await Promise.all([
    readHomeEvents(services, home.events),
    readPublishedStories(services),
  ]);
  const leadStory = pickLeadStory(stories, services.clock(), settings.timeZone);
  const { hero, video, fact } = home;
  // An image is shown once. The stories choose first.
  const pickImage = createImagePicker(findImagePaths([hero, video, fact, leadStory?.image]));
  const homeStories = pickHomeStories(stories, leadStory, home, pickImage);
  const eventItems = events
    .map((event) => toEventItem(event, settings.timeZone))
    .map((event) => ({ ...event, image: pickImage(event.image) }));
  const content = {
    head: {
      title: home.title,
      description: settings.description,
      keywords: settings.keywords,
      geo: settings.geo,
    },
    publisher: toPublisher(settings),
    hero,
    city: settings.city,
    today: await readToday(services, leadStory),
    fact,
    video: video && videoContent(video, site.read(embedsFile)),
    ...homeStories,
    events: eventItems,
  };
  const findAdRow = await prepareAdRows(services, "home", content);
  return {
    ...content,
    ads: { first: findAdRow("first"), middle: findAdRow("middle"), last: findAdRow("last") },
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { head, publisher } = loaderData;
  return [
    ...pageMeta(root.loaderData.site, { ...head, path: "/" }),
    ...geoMeta(head.geo),
    ...(import.meta.env.SSR ? siteData(publisher) : []),
    ...feedLinks(storyFeedPath, "Stories"),
    ...feedLinks("/feeds/news", "News"),
  ];
}

export default function HomeRoute({ loaderData }: Route.ComponentProps) {
  const { hero, city, today, video, featured, events, community, fact, ads } = loaderData;
  return (
    <>
      <Hero hero={hero} />
      <TodayStrip city={city} today={today} />
      {video && (
        <HomeSection id="featured-video" title="Featured Video">
          <Video video={video} />
        </HomeSection>
      )}
      {featured.length > 0 && (
        <HomeSection
          id="featured-news"
          title="Featured News"
          link={{ label: "View All News", to: "/news" }}
        >
          <NewsGrid stories={featured} />
        </HomeSection>
      )}
      <AdRow row={ads.first} />
      {events.length > 0 && (
        <HomeSection
          id="upcoming-events"
          title="Upcoming Events"
          link={{ label: "View All Events", to: "/events" }}
        >
          <EventCarousel events={events} />
        </HomeSection>
      )}
      <AdRow row={ads.middle} />
      {community.length > 0 && (
        <HomeSection
          id="community"
          title="Community Highlights"
          link={{ label: "View Community Page", to: "/community" }}
        >
          <NewsGrid stories={community} columns={2} />
        </HomeSection>
      )}
      {fact && <DidYouKnow fact={fact} />}
      <AdRow row={ads.last} />
    </>
  );
}
