import type { MetaDescriptor } from "react-router";
import { describe, expect, it } from "vitest";
import { articleHead } from "./article-head.ts";
import { breadcrumbData, eventData, postData, storyData } from "./structured-data.ts";

const image = (file: string) => ({ file, alt: "", width: 1, height: 1 });
const site = { name: "The Post", origin: "https://www.city.example", shareImage: image("a.png") };

const read = (tag: MetaDescriptor) => "script:ld+json" in tag && tag["script:ld+json"];

describe("the structured data of a story", () => {
  const story = {
    slug: "vote",
    title: "The Vote",
    excerpt: "The council voted.",
    category: "Politics",
    published: { iso: "2026-11-15T18:30:00-05:00" },
    modified: "2026-11-15T18:30:00-05:00",
    corrections: [],
    image: image("harbor.svg"),
    moreImages: [image("/pictures/1.webp")],
  };
  const authors = [
    { name: "Ada Byrd", to: "/about#ada-byrd" },
    { name: "Sam Cole", to: null },
  ];

  it("names its authors, dates and images with full URLs", () => {
    expect(read(storyData(site, story, authors))).toMatchObject({
      "@type": "NewsArticle",
      datePublished: "2026-11-15T18:30:00-05:00",
      dateModified: "2026-11-15T18:30:00-05:00",
      image: [
        "https://www.city.example/art/harbor.svg",
        "https://www.city.example/pictures/1.webp",
      ],
      author: [
        { "@type": "Person", name: "Ada Byrd", url: "https://www.city.example/about#ada-byrd" },
        { "@type": "Person", name: "Sam Cole" },
      ],
    });
    expect(JSON.stringify(storyData(site, story, authors.slice(1)))).not.toContain("/about");
  });

  it("says when it was updated, and what was corrected", () => {
    const modified = "2026-11-16";
    const corrections = [{ date: { iso: modified }, text: "It was 8 to 6." }];
    expect(read(storyData(site, { ...story, modified, corrections }, authors))).toMatchObject({
      dateModified: modified,
      correction: [
        { "@type": "CorrectionComment", datePublished: "2026-11-16", text: "It was 8 to 6." },
      ],
    });
  });

  it("without named authors is by the publisher", () => {
    expect(read(storyData(site, story, []))).toMatchObject({
      author: [{ "@type": "Organization", name: "The Post" }],
    });
  });
});

it("the breadcrumbs of a page begin with the front page and end with the page", () => {
  const trail = breadcrumbData(
    site,
    { name: "News", path: "/news" },
    { name: "The Vote", path: "/news/vote" },
  );
  expect(read(trail)).toMatchObject({
    "@type": "BreadcrumbList",
    itemListElement: [
      { position: 1, name: "Home", item: "https://www.city.example/" },
      { position: 2, name: "News", item: "https://www.city.example/news" },
      { position: 3, name: "The Vote", item: "https://www.city.example/news/vote" },
    ],
  });
});

const post = {
  path: "/blog/a-post",
  metaTitle: "A post",
  metaDescription: "",
  published: "2026-11-15",
  modified: "2026-11-15",
  corrections: [],
  authors: [],
  shortTailKeywords: null,
  image: null,
  shareImage: null,
};

it("the structured data of a post names its authors, its last change and its corrections", () => {
  const changed = {
    ...post,
    modified: "2026-11-16T09:00:00-05:00",
    corrections: [{ date: { iso: "2026-11-16" }, text: "It was 5." }],
    authors: ["Ada Byrd", "Sam Cole"],
  };
  expect(read(postData(site, changed, "https://www.city.example/blog/a-post"))).toMatchObject({
    datePublished: "2026-11-15",
    dateModified: "2026-11-16T09:00:00-05:00",
    correction: [{ "@type": "CorrectionComment", datePublished: "2026-11-16", text: "It was 5." }],
    author: [
      { "@type": "Person", name: "Ada Byrd" },
      { "@type": "Person", name: "Sam Cole" },
    ],
  });
});

describe("the canonical URL of a post", () => {
  const canonicalOf = (domain: string, origin = site.origin) =>
    articleHead({ ...site, origin }, { ...post, domain }).flatMap((tag) =>
      "rel" in tag && tag.rel === "canonical" ? [tag.href] : [],
    );

  it("has the origin of the site, also if that begins with www or has a port", () => {
    expect(canonicalOf("city.example")).toEqual(["https://www.city.example/blog/a-post"]);
    expect(canonicalOf("localhost", "http://localhost:3000")).toEqual([
      "http://localhost:3000/blog/a-post",
    ]);
  });

  it("of a sister city is on that city's site, without breadcrumbs of ours", () => {
    expect(canonicalOf("annapolis.example")).toEqual(["https://annapolis.example/blog/a-post"]);
    const tags = articleHead(site, { ...post, domain: "annapolis.example" });
    expect(JSON.stringify(tags)).not.toContain("BreadcrumbList");
  });
});

describe("the structured data of an event", () => {
  const event = {
    path: "/events/walk",
    title: "A walk",
    excerpt: "Along the water.",
    location: "Pier 5",
    startsAt: "2026-12-05T17:30:00-05:00",
    endsAt: "2026-12-05T19:30:00-05:00",
    free: false,
    price: null,
    isCanceled: false,
    image: null,
    source: null,
  };
  const offer = {
    "@type": "Offer",
    priceCurrency: "USD",
    url: "https://www.city.example/events/walk",
  };

  it("offers it for the lowest price, or for nothing", () => {
    const price = "From $7.50, or $20 with dinner";
    expect(read(eventData(site, { ...event, price }))).toMatchObject({
      offers: { ...offer, price: "7.50" },
    });
    expect(read(eventData(site, { ...event, free: true, price: "Free" }))).toMatchObject({
      offers: { ...offer, price: "0" },
    });
  });

  it("says that it was canceled or moved, and from when", () => {
    const previousStart = "2026-12-04T17:30:00-05:00";
    expect(read(eventData(site, { ...event, previousStart }))).toMatchObject({
      eventStatus: "https://schema.org/EventRescheduled",
      previousStartDate: previousStart,
    });
    expect(read(eventData(site, { ...event, isCanceled: true, previousStart }))).toMatchObject({
      eventStatus: "https://schema.org/EventCancelled",
    });
  });

  it.each([null, "What you can"])("has no offer if the price is %s", (price) => {
    expect(read(eventData(site, { ...event, price }))).not.toHaveProperty("offers");
  });
});
