import type { MetaDescriptor } from "react-router";
import { artPath, isImageAvailable } from "../../lib/images/art.ts";
import { withoutNewTabNotes } from "../../lib/links/external-links.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import type { Image } from "../../site-files/site-fields.server.ts";
import type { SiteIdentity } from "./meta.ts";

/**
 * Structured data for search engines, in the head of the page. They load each page from the server,
 * so routes add it only there (`import.meta.env.SSR`), and browsers do not load this code.
 */
const jsonLd = (data: Record<string, unknown>): MetaDescriptor => ({
  "script:ld+json": { "@context": "https://schema.org", ...data },
});

const toOrganization = ({ name, origin, logo, founded, city, social }: Publisher) => ({
  "@type": "NewsMediaOrganization",
  "@id": `${origin}/#organization`,
  name,
  url: `${origin}/`,
  logo: `${origin}${artPath(logo)}`,
  foundingDate: String(founded),
  areaServed: { "@type": "City", name: city },
  sameAs: social,
});

type Publisher = {
  name: string;
  origin: string;
  logo: string;
  founded: number;
  city: string;
  social: string[];
};

export const organizationData = (publisher: Publisher): MetaDescriptor =>
  jsonLd(toOrganization(publisher));

export function siteData(publisher: Publisher): MetaDescriptor[] {
  const { name, origin } = publisher;
  return [
    organizationData(publisher),
    jsonLd({
      "@type": "WebSite",
      name,
      url: `${origin}/`,
      publisher: { "@id": `${origin}/#organization` },
      potentialAction: {
        "@type": "SearchAction",
        target: { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={search_term_string}` },
        "query-input": "required name=search_term_string",
      },
    }),
  ];
}

/** The pages that lead to a page, from the top of the site. The last one is the page itself. */
export const breadcrumbData = (
  { origin }: SiteIdentity,
  ...pages: { name: string; path: string }[]
): MetaDescriptor =>
  jsonLd({
    "@type": "BreadcrumbList",
    itemListElement: [{ name: "Home", path: "/" }, ...pages].map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: origin + path,
    })),
  });

type CorrectionFacts = { date: { iso: string }; text: string };

const correctionData = (corrections: CorrectionFacts[]) =>
  corrections.length === 0
    ? {}
    : {
        correction: corrections.map(({ date, text }) => ({
          "@type": "CorrectionComment",
          datePublished: date.iso,
          text,
        })),
      };

type StoryFacts = {
  slug: string;
  title: string;
  excerpt: string;
  category: string;
  published: { iso: string };
  /** The date of the last change, for machines. */
  modified: string;
  corrections: CorrectionFacts[];
  image: Image;
  moreImages: Image[];
  live?: LiveFacts | null;
};

type LiveFacts = {
  isLive: boolean;
  entries: { id: string; title: string; time: { iso: string }; html: string }[];
};

const maxEntryLength = 1_000;

/** The entries are the newest first. */
const liveData = (url: string, headline: string, { isLive, entries }: LiveFacts) => ({
  "@type": "LiveBlogPosting",
  ...(entries.length > 0 ? { coverageStartTime: entries.at(-1)?.time.iso } : {}),
  ...(isLive || entries.length === 0 ? {} : { coverageEndTime: entries[0]?.time.iso }),
  liveBlogUpdate: entries.map(({ id, title, time, html }) => ({
    "@type": "BlogPosting",
    headline: title || headline,
    datePublished: time.iso,
    url: `${url}#${id}`,
    articleBody: truncateAtWord(toText(html), maxEntryLength),
  })),
});

/** The text of HTML that our own renderer wrote. */
const toText = (html: string) =>
  html
    .replaceAll(/<[^>]{0,500}>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#x3C;", "<")
    .replaceAll("&#x26;", "&")
    .trim();

/** The name of an author, with the path of the page about the author if there is one. */
type AuthorFacts = { name: string; to: string | null };

export function storyData(
  { name, origin }: SiteIdentity,
  story: StoryFacts,
  authors: AuthorFacts[],
): MetaDescriptor {
  const images = [story.image, ...story.moreImages]
    .filter(isImageAvailable)
    .map(({ file }) => `${origin}${artPath(file)}`);
  const url = `${origin}/news/${story.slug}`;
  return jsonLd({
    "@type": "NewsArticle",
    headline: story.title,
    description: story.excerpt,
    articleSection: story.category,
    ...articleFacts({ name, origin }, story.published.iso, story, authors),
    ...(images.length > 0 ? { image: images } : {}),
    mainEntityOfPage: url,
    ...(story.live ? liveData(url, story.title, story.live) : {}),
  });
}

const articleFacts = (
  { name, origin }: Pick<SiteIdentity, "name" | "origin">,
  published: string,
  { modified, corrections }: { modified: string; corrections: CorrectionFacts[] },
  authors: AuthorFacts[],
) => ({
  datePublished: published,
  dateModified: modified,
  ...correctionData(corrections),
  isAccessibleForFree: true,
  author:
    authors.length > 0
      ? authors.map(({ name, to }) => ({
          "@type": "Person",
          name,
          ...(to === null ? {} : { url: origin + to }),
        }))
      : [{ "@type": "Organization", name, url: `${origin}/about` }],
  publisher: { "@type": "NewsMediaOrganization", "@id": `${origin}/#organization`, name },
});

type EventFacts = {
  path: string;
  title: string;
  excerpt: string;
  location: string;
  startsAt: string;
  endsAt: string;
  free: boolean;
  /** What readers see about the price, such as "$12". */
  price: string | null;
  isCanceled: boolean;
  /** The first planned start, if the event was moved to another time. */
  previousStart?: string | null;
  image: Image | null;
  source: { name: string; url: string } | null;
};

/** The first amount in a text about a price: of several prices, editors name the lowest first. */
const dollars = /\$(\d{1,5}(?:\.\d\d)?)/;

function eventStatus({ isCanceled, previousStart }: EventFacts): string {
  if (isCanceled) return "EventCancelled";
  return previousStart ? "EventRescheduled" : "EventScheduled";
}

export function eventData(
  { name, origin, shareImage }: SiteIdentity,
  event: EventFacts,
): MetaDescriptor {
  const url = origin + event.path;
  const price = event.free ? "0" : dollars.exec(event.price ?? "")?.[1];
  return jsonLd({
    "@type": "Event",
    name: event.title,
    description: event.excerpt,
    startDate: event.startsAt,
    endDate: event.endsAt,
    eventStatus: `https://schema.org/${eventStatus(event)}`,
    ...(event.previousStart ? { previousStartDate: event.previousStart } : {}),
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    ...(event.location
      ? { location: { "@type": "Place", name: event.location, address: event.location } }
      : {}),
    image: [`${origin}${artPath((event.image ?? shareImage).file)}`],
    url,
    isAccessibleForFree: event.free,
    ...(price === undefined
      ? {}
      : { offers: { "@type": "Offer", price, priceCurrency: "USD", url } }),
    organizer: { "@type": "Organization", ...(event.source ?? { name, url: `${origin}/` }) },
  });
}

export type PostFacts = {
  path: string;
  metaTitle: string;
  metaDescription: string;
  published: string;
  modified: string;
  corrections: CorrectionFacts[];
  /** The names of the authors. Empty if the post is by the newsroom. */
  authors: string[];
  shortTailKeywords: string | null;
  image: string | null;
};

export function postData(
  { name, origin }: SiteIdentity,
  post: PostFacts,
  canonicalUrl: string,
): MetaDescriptor {
  const authors = post.authors.map((author) => ({ name: author, to: null }));
  return jsonLd({
    "@type": "BlogPosting",
    headline: post.metaTitle,
    description: post.metaDescription,
    ...articleFacts({ name, origin }, post.published, post, authors),
    ...(post.shortTailKeywords ? { keywords: post.shortTailKeywords } : {}),
    ...(post.image ? { image: [`${origin}${post.image}`] } : {}),
    mainEntityOfPage: canonicalUrl,
  });
}

export function faqData(entries: { question: string; html: string }[]): MetaDescriptor {
  return jsonLd({
    "@type": "FAQPage",
    mainEntity: entries.map(({ question, html }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: withoutNewTabNotes(html) },
    })),
  });
}
