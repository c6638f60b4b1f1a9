import { createImagePicker, findAvailable, findImagePaths } from "../../lib/images/art.ts";
import { findStrings } from "../../lib/text/find-strings.ts";
import type { PageServices } from "../../platform/services.ts";
import { readNewestPosts } from "../blog/backend/load.server.ts";
import { postPath } from "../blog/paths.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { findComingEvents } from "../events/listing/coming.server.ts";
import { toEventItem } from "../events/listing/describe.server.ts";
import { noFilter } from "../events/model.ts";
import { withoutTakenDown } from "../file-notes/taken-down.server.ts";
import { describeOnAir } from "../radio/schedule/on-air.server.ts";
import { type Ads, adsFile } from "./files.server.ts";
import type { AdRowContent, AdSlotContent, HouseAd, HouseAdContent } from "./model.ts";

/**
 * Prepares all ad rows of a page. Returns a function that takes the name of a row and returns the
 * row, or null if the city has no such row. `content` is the data of everything else on the page:
 * no house ad repeats an image, an event or a post that the page already shows. A slot for which no
 * house ad is left is not shown.
 */
export async function prepareAdRows(
  services: PageServices,
  page: string,
  content: unknown,
): Promise<(name: string) => AdRowContent | null> {
  const { site } = services;
  const { pages, house, loader } = site.read(adsFile);
  const houseLabel = `From ${site.read(siteSettingsFile).network.name}`;
  const rows = Object.entries(pages[page] ?? {});
  const configs = rows.flatMap(([, { slots }]) => slots.flatMap((slot) => house[slot.house] ?? []));
  const stringsOnPage = new Set(findStrings(content));
  const spares = Object.values(house).filter((config) => !configs.includes(config));
  const isOnPage = (title: string) => stringsOnPage.has(title);
  const houseAds = await makeHouseAds(services, configs, spares, isOnPage);
  const pickImage = createImagePicker(findImagePaths(content));
  const remainingHouseAds = houseAds
    .map((houseAd) => houseAd && { ...houseAd, image: pickImage(houseAd.image) })
    .values();
  const rowsByName = new Map(
    rows.map(([name, { height, slots: configuredSlots }]) => {
      const slots = configuredSlots.flatMap((slot): AdSlotContent[] => {
        const { value: houseAd } = remainingHouseAds.next();
        if (!houseAd) return [];
        const { house: _house, ...identity } = slot;
        const framePath = loader && "id" in slot ? `/embed/ad/${slot.id}` : null;
        return [{ identity, houseAd, framePath }];
      });
      return [name, { height, houseLabel, slots }];
    }),
  );
  return (name) => rowsByName.get(name) ?? null;
}

export function hasAdSlot({ pages }: Ads, id: string): boolean {
  return Object.values(pages)
    .flatMap((rows) => Object.values(rows))
    .some(({ slots }) => slots.some((slot) => "id" in slot && slot.id === id));
}

type HouseAdConfig = Ads["house"][string];
/** What an event, a post or the station replaces in a house ad of ads.yaml. */
type Replacement = Partial<HouseAd>;

/**
 * Makes the house ads of one page. Each event or post is shown once: two house ads with
 * `next-event` show the next two events. A house ad shows its text from ads.yaml if there is no
 * event or post for it. If the page already shows this text, or it leads to something that was
 * taken down or that the city does not have, one of `spares` takes its place: the house ads that
 * the page does not use. The result is null if none is left.
 */
async function makeHouseAds(
  services: PageServices,
  configs: HouseAdConfig[],
  spares: HouseAdConfig[],
  isOnPage: (title: string) => boolean,
): Promise<(HouseAd | null)[]> {
  const isUsed = (content: HouseAdContent) => configs.some((config) => config.content === content);
  const eventAds = [...configs, ...spares].filter(({ content }) => content === "next-event");
  const [events, posts] = await Promise.all([
    isUsed("next-event") ? readEvents(services, isOnPage, eventAds.length) : [],
    isUsed("newest-post") ? readPosts(services, isOnPage) : [],
  ]);
  const station = isUsed("on-air") ? readStation(services, isOnPage) : [];
  const replacements = { "next-event": events, "newest-post": posts, "on-air": station };
  const possible = [...configs, ...spares].filter(({ to }) => services.site.hasPage(to));
  const advertised = await withoutTakenDown(services, possible, ({ to }) => to);
  const shownTexts = new Set<HouseAdConfig>();
  const remainingSpares = spares.values();
  const make = (config: HouseAdConfig): HouseAd | null => {
    const { title, text, label, to, image, content } = config;
    const ad = { kicker: null, title, text, link: { label, to }, image: findAvailable(image) };
    const replacement = content && replacements[content].shift();
    if (replacement) return { ...ad, ...replacement };
    if (shownTexts.has(config) || !advertised.includes(config)) {
      const { value: spare } = remainingSpares.next();
      return spare ? make(spare) : null;
    }
    shownTexts.add(config);
    return ad;
  };
  return configs.map(make);
}

type IsOnPage = (title: string) => boolean;

async function readEvents(
  services: PageServices,
  isOnPage: IsOnPage,
  count: number,
): Promise<Replacement[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const events = await findComingEvents(services, noFilter);
  const others = events.filter(({ title }) => !isOnPage(title)).slice(0, count);
  return others.map((event) => {
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
  });
}

async function readPosts(services: PageServices, isOnPage: IsOnPage): Promise<Replacement[]> {
  const posts = await readNewestPosts(services);
  const others = posts.filter(({ metaTitle }) => !isOnPage(metaTitle));
  return others.map(({ slug, metaTitle, metaDescription, image, picture: pinImage }) => ({
    kicker: "New on the blog",
    title: metaTitle,
    text: metaDescription,
    link: { label: "Read More", to: postPath(slug) },
    // The house ad crops the image, so its real size does not matter.
    image: image ?? (pinImage ? { file: pinImage, width: 1200, height: 675, alt: "" } : null),
  }));
}

/**
 * The house ad shows the station and its program instead of the current track: tracks change every
 * minute or two, and a page in the page cache or in an open tab would soon show the wrong one.
 */
function readStation(services: PageServices, isOnPage: IsOnPage): Replacement[] {
  const onAir = describeOnAir(services);
  if (!onAir || isOnPage(onAir.station)) return [];
  return [{ kicker: "On air now", title: onAir.station, text: onAir.text }];
}
