import { findAvailable } from "../../lib/images/art.ts";
import type { PageServices } from "../../platform/services.ts";
import { readNewestPosts } from "../blog/backend/wait.server.ts";
import { postPath } from "../blog/paths.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { CityEvent } from "../events/listing/city-event.ts";
import { findComingEvents } from "../events/listing/coming.server.ts";
import { toEventItem } from "../events/listing/describe.server.ts";
import { noFilter } from "../events/model.ts";
import { withoutTakenDown } from "../file-notes/taken-down.server.ts";
import { describeOnAir } from "../radio/schedule/on-air.server.ts";
import type { Ads } from "./files.server.ts";
import type { HouseAd, HouseAdContent } from "./model.ts";

type HouseAdConfig = Ads["house"][string];
/**
 * Builds a house ad about one event, one post or the radio station. Some of the text may come from
 * the ad's settings in ads.yaml.
 */
type HouseAdBuilder = (config: HouseAdConfig) => HouseAd;

/**
 * Makes the house ads of one page. Each event or post is shown once: two house ads with
 * `next-event` show the next two events. A house ad shows its text from ads.yaml if there is no
 * event or post for it. If the page already shows this text, or it leads to something that was taken
 * down or that the city does not have, one of `spares` takes its place: the house ads that the page
 * does not use. The result is null if none is left.
 */
export async function makeHouseAds(
  services: PageServices,
  configs: HouseAdConfig[],
  spares: HouseAdConfig[],
  isOnPage: (title: string) => boolean,
): Promise<(HouseAd | null)[]> {
  const isUsed = (content: HouseAdContent) => configs.some((config) => config.content === content);
  const [events, posts] = await Promise.all([
    isUsed("next-event") ? loadEventAdBuilders(services, isOnPage) : [],
    isUsed("newest-post") ? loadPostAdBuilders(services, isOnPage) : [],
  ]);
  const builders: Record<HouseAdContent, HouseAdBuilder[]> = {
    "next-event": events,
    "newest-post": posts,
    "on-air": isUsed("on-air") ? listStationAdBuilders(services, isOnPage) : [],
  };
  const possible = [...configs, ...spares].filter(({ to }) => services.site.has(to));
  const advertised = await withoutTakenDown(services, possible, ({ to }) => to);
  const shownTexts = new Set<HouseAdConfig>();
  const remainingSpares = spares.values();
  const make = (config: HouseAdConfig): HouseAd | null => {
    const build = config.content && builders[config.content].shift();
    if (build) return build(config);
    if (shownTexts.has(config) || !advertised.includes(config)) {
      const { value: spare } = remainingSpares.next();
      return spare ? make(spare) : null;
    }
    shownTexts.add(config);
    return buildFromConfig(config);
  };
  return configs.map(make);
}

const buildFromConfig: HouseAdBuilder = ({ title, text, label, to, image }) => ({
  kicker: null,
  title,
  text,
  link: { label, to },
  image: findAvailable(image),
});

/** Returns a builder for each coming event that the page does not show yet. */
async function loadEventAdBuilders(
  services: PageServices,
  isOnPage: (title: string) => boolean,
): Promise<HouseAdBuilder[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const events = await findComingEvents(services, noFilter);
  return events
    .filter(({ title }) => !isOnPage(title))
    .map((event) => eventAdBuilder(event, timeZone));
}

const eventAdBuilder =
  (event: CityEvent, timeZone: string): HouseAdBuilder =>
  () => {
    const { path, title, isSample, image, ...item } = toEventItem(event, timeZone);
    // The events are only a few weeks away, so the year is left out.
    const day = item.dateLine.replace(/, \d{4}$/, "");
    return {
      kicker: isSample ? "Coming up · Sample event" : "Coming up",
      title,
      text: [day, item.timeLine, item.location].filter((part) => part !== "").join(" · "),
      link: { label: "Event Details", to: path },
      image,
    };
  };

/** Returns a builder for each of the newest posts that the page does not show yet. */
async function loadPostAdBuilders(
  services: PageServices,
  isOnPage: (title: string) => boolean,
): Promise<HouseAdBuilder[]> {
  const posts = await readNewestPosts(services);
  return posts
    .filter(({ metaTitle }) => !isOnPage(metaTitle))
    .map(({ slug, metaTitle, metaDescription, picture: image }) => () => ({
      kicker: "New on the blog",
      title: metaTitle,
      text: metaDescription,
      link: { label: "Read More", to: postPath(slug) },
      // The house ad crops the image, so its real size does not matter.
      image: image ? { file: image, width: 1200, height: 675, alt: "" } : null,
    }));
}

/**
 * The house ad shows the station and its program instead of the current track: tracks change every
 * minute or two, and a page in the page cache or in an open tab would soon show the wrong one.
 */
function listStationAdBuilders(
  services: PageServices,
  isOnPage: (title: string) => boolean,
): HouseAdBuilder[] {
  const onAir = describeOnAir(services);
  if (!onAir || isOnPage(onAir.station)) return [];
  return [
    ({ label, to, image }) => ({
      kicker: "On air now",
      title: onAir.station,
      text: onAir.text,
      link: { label, to },
      image: findAvailable(image),
    }),
  ];
}
