import { nextMidnight } from "../../lib/dates.ts";
import { inTime } from "../../lib/http/in-time.server.ts";
import type { PageScope } from "../../platform/page-scope.ts";
import type { Services } from "../../platform/services.ts";
import { loadBlogList, nextPublishDate } from "../blog/backend/load.server.ts";
import { ownDomain } from "../blog/backend/source.server.ts";
import { brandFile } from "../brand/files.server.ts";
import type { CityEvent } from "../events/listing/city-event.ts";
import { eventItem } from "../events/listing/describe.server.ts";
import { eventLookup, eventsWithin } from "../events/listing/gather.server.ts";
import { applyFilter, filterWindow } from "../events/listing/select.server.ts";
import { noFilter } from "../events/model.ts";
import { radioFile } from "../radio/files.server.ts";
import type { Ads } from "./files.server.ts";
import type { HouseAd, HouseAdContent } from "./model.ts";

export type HouseAdServices = Pick<Services, "site" | "db" | "clock" | "log" | "blogBackend"> &
  PageScope;

type HouseAdConfig = Ads["house"][string];
/** Makes the card to show of the card that ads.yaml describes. */
type HouseAdBuilder = (written: HouseAdConfig) => HouseAd;

/**
 * How long a page waits for the records of a card. It is decoration, and right after a start the
 * database is busy.
 */
const recordTimeoutMs = 500;
/** A page whose cards had to do without records is rendered again this soon. */
const rerenderAfterMs = 60_000;

/**
 * Makes the cards of one page. Each record is shown once: two cards with the next event show the
 * next two. A card for which there is no record shows the words that ads.yaml has for it; so does
 * every card while the database is away, because no page may fail, or wait, for a house card.
 */
export async function makeHouseAds(
  services: HouseAdServices,
  written: HouseAdConfig[],
  isOnPage: (title: string) => boolean,
): Promise<HouseAd[]> {
  const isUsed = (content: HouseAdContent) => written.some((card) => card.content === content);
  const records = async (
    content: HouseAdContent,
    read: typeof nextEvents,
  ): Promise<HouseAdBuilder[]> => {
    if (!isUsed(content)) return [];
    const ready = await inTime(
      services.log,
      "house_card",
      recordTimeoutMs,
      read(services, isOnPage),
    );
    if (!ready) services.expireAt(new Date(services.clock().getTime() + rerenderAfterMs));
    return ready?.value ?? [];
  };
  const [events, posts] = await Promise.all([
    records("next-event", nextEvents),
    records("newest-post", newestPosts),
  ]);
  const builders: Record<HouseAdContent, HouseAdBuilder[]> = {
    "next-event": events,
    "newest-post": posts,
    "on-air": isUsed("on-air") ? [fromStation(services)] : [],
  };
  return written.map((card) => {
    const make = (card.content && builders[card.content].shift()) ?? fromConfig;
    return make(card);
  });
}

const fromConfig: HouseAdBuilder = ({ title, text, label, to, image }) => ({
  kicker: null,
  title,
  text,
  link: { label, to },
  image: image ?? null,
});

/** What begins next and is not on the page already; of a series one date. */
async function nextEvents(
  { site, db, clock, tags, expireAt }: HouseAdServices,
  isOnPage: (title: string) => boolean,
): Promise<HouseAdBuilder[]> {
  const brand = site.read(brandFile);
  const lookup = eventLookup({ site, db, clock, tags }, brand);
  const { now, timeZone } = lookup;
  // Dates that are given in days from today move at midnight.
  expireAt(nextMidnight(now, timeZone));
  const all = await eventsWithin(lookup, filterWindow(noFilter, now, timeZone));
  const series = new Set<string>();
  const coming = applyFilter(all, noFilter, now)
    .filter(({ startsAt, title }) => startsAt > now && !isOnPage(title))
    .filter((event) => !series.has(event.series) && series.add(event.series));
  const [first] = coming;
  if (first) expireAt(first.startsAt);
  return coming.map((event) => fromEvent(event, timeZone));
}

function fromEvent(event: CityEvent, timeZone: string): HouseAdBuilder {
  const { id, title, dateLine, timeLine, location, image, isSample } = eventItem(event, timeZone);
  // An event of the coming weeks does not need its year.
  const day = dateLine.replace(/, \d{4}$/, "");
  return () => ({
    kicker: isSample ? "Coming up · Sample event" : "Coming up",
    title,
    text: [day, timeLine, location].filter((part) => part !== "").join(" · "),
    link: { label: "Event Details", to: `/events/${id}` },
    image,
  });
}

async function newestPosts(
  services: HouseAdServices,
  isOnPage: (title: string) => boolean,
): Promise<HouseAdBuilder[]> {
  const { site, expireAt } = services;
  const [{ blogs }, changesAt] = await Promise.all([
    loadBlogList(services, ownDomain(site), 1),
    nextPublishDate(services),
  ]);
  if (changesAt) expireAt(changesAt);
  return blogs
    .filter(({ metaTitle }) => !isOnPage(metaTitle))
    .map(({ slug, metaTitle, metaDescription, picture }) => () => ({
      kicker: "New on the blog",
      title: metaTitle,
      text: metaDescription,
      link: { label: "Read More", to: `/blog/${slug}` },
      // The card crops it to its own shape, so its true size does not matter.
      image: picture ? { file: picture, width: 1200, height: 675, alt: "" } : null,
    }));
}

/**
 * The station, not the track: tracks change every minute or two, and a page that is kept in memory,
 * or open in front of a reader, would soon name the wrong one.
 */
function fromStation({ site }: HouseAdServices): HouseAdBuilder {
  const { station, subtitle, nowPlaying } = site.read(radioFile);
  return ({ label, to, image }) => ({
    kicker: "On air now",
    title: station,
    text: `${subtitle}. ${nowPlaying.text}`,
    link: { label, to },
    image: image ?? null,
  });
}
