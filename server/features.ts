import { about } from "../app/features/about/feature.server.ts";
import { ads } from "../app/features/ads/feature.server.ts";
import { alerts } from "../app/features/alerts/feature.server.ts";
import { blog } from "../app/features/blog/feature.server.ts";
import { books } from "../app/features/books/feature.server.ts";
import { brand } from "../app/features/brand/feature.server.ts";
import { brief } from "../app/features/brief/feature.server.ts";
import { community } from "../app/features/community/feature.server.ts";
import { contact } from "../app/features/contact/feature.server.ts";
import { desk } from "../app/features/desk/feature.server.ts";
import { device } from "../app/features/device/feature.server.ts";
import { donation } from "../app/features/donation/feature.server.ts";
import { embeds } from "../app/features/embeds/feature.server.ts";
import { events } from "../app/features/events/feature.server.ts";
import { meetings } from "../app/features/events/meetings/feature.server.ts";
import { failures } from "../app/features/failures/feature.server.ts";
import { faq } from "../app/features/faq/feature.server.ts";
import { feeds } from "../app/features/feeds/feature.server.ts";
import { fileNotes } from "../app/features/file-notes/feature.server.ts";
import { forms } from "../app/features/forms/feature.server.ts";
import { home } from "../app/features/home/feature.server.ts";
import { layout } from "../app/features/layout/feature.server.ts";
import { legal } from "../app/features/legal/feature.server.ts";
import { mail } from "../app/features/mail/feature.server.ts";
import { createNewsletter } from "../app/features/newsletter/feature.server.ts";
import { officialAlerts } from "../app/features/official-alerts/feature.server.ts";
import { offline } from "../app/features/offline/feature.server.ts";
import { partners } from "../app/features/partners/feature.server.ts";
import { places } from "../app/features/places/feature.server.ts";
import { radio } from "../app/features/radio/feature.server.ts";
import { createRedirects } from "../app/features/redirects/feature.server.ts";
import { saved } from "../app/features/saved/feature.server.ts";
import { createSearch } from "../app/features/search/feature.server.ts";
import { sectionNews } from "../app/features/section-news/feature.server.ts";
import { shareImages } from "../app/features/share-images/feature.server.ts";
import { sitemap } from "../app/features/sitemap/feature.server.ts";
import { sources } from "../app/features/sources/feature.server.ts";
import { stories } from "../app/features/stories/feature.server.ts";
import { createTally } from "../app/features/tally/feature.server.ts";
import { weather } from "../app/features/weather/feature.server.ts";
import type { Feature } from "../app/platform/feature.ts";
import { followPart } from "../app/platform/follow-part.ts";

/** All features. The city's files are read in this order. A city may be without some of them. */
export const features: Feature[] = [
  brand,
  layout,
  alerts,
  createNewsletter(() => features),
  donation,
  embeds,
  ads,
  home,
  stories,
  feeds,
  sources,
  meetings,
  events,
  weather,
  officialAlerts,
  places,
  sectionNews,
  brief,
  blog,
  partners,
  faq,
  radio,
  books,
  community,
  contact,
  about,
  legal,
  failures,
  fileNotes,
  desk,
  device,
  saved,
  offline,
  createSearch(() => features),
  sitemap,
  shareImages,
  mail,
  forms,
  createTally(() => features),
  createRedirects(() => features),
].map(followPart);
