import type { MetaDescriptor } from "react-router";
import { artPath } from "../../lib/images/art.ts";
import type { Image } from "../../site-files/site-fields.server.ts";

export type SiteIdentity = {
  name: string;
  origin: string;
  shareImage: Image;
};

type PageHead = {
  title: string;
  description: string;
  /**
   * The canonical path of the page, without the host and the query of the request. Null for a page
   * that is served for many URLs, such as the page for everything that is missing.
   */
  path: string | null;
  type?: "website" | "article";
  /** False keeps the page out of search engines. */
  index?: boolean;
  keywords?: string[];
  /** Whether the title is shown without the name of the site. */
  bareTitle?: boolean;
  /** The canonical URL, if it is on another site. */
  canonical?: string;
  /** The image that other sites show with a link to the page, if it is not the site's own. */
  image?: HeadImage | null | undefined;
};

/** An image on our own server. All share images are PNG files. */
export type HeadImage = { path: string; alt: string; width: number; height: number };

/** The head of a page: title, description, canonical URL, social cards, robots. */
export function pageMeta(site: SiteIdentity, page: PageHead): MetaDescriptor[] {
  const title = fullTitle(site, page);
  const canonicalUrl = page.canonical ?? (page.path === null ? null : `${site.origin}${page.path}`);
  const image = page.image ?? { ...site.shareImage, path: artPath(site.shareImage.file) };
  const index = page.index ?? true;
  return [
    { title },
    { name: "description", content: page.description },
    ...(page.keywords ? [{ name: "keywords", content: page.keywords.join(", ") }] : []),
    { name: "robots", content: index ? "index, follow, max-image-preview:large" : "noindex" },
    ...(index && canonicalUrl ? [{ tagName: "link", rel: "canonical", href: canonicalUrl }] : []),
    { property: "og:site_name", content: site.name },
    { property: "og:type", content: page.type ?? "website" },
    { property: "og:locale", content: "en_US" },
    { property: "og:title", content: title },
    { property: "og:description", content: page.description },
    ...(canonicalUrl ? [{ property: "og:url", content: canonicalUrl }] : []),
    { property: "og:image", content: `${site.origin}${image.path}` },
    ...(page.image ? [{ property: "og:image:type", content: "image/png" }] : []),
    { property: "og:image:width", content: String(image.width) },
    { property: "og:image:height", content: String(image.height) },
    { property: "og:image:alt", content: image.alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

function fullTitle(site: SiteIdentity, page: PageHead): string {
  if (page.bareTitle) return page.title;
  return page.path === "/" ? `${site.name}: ${page.title}` : `${page.title} | ${site.name}`;
}

/** The location of the city, in the meta tags that maps and search engines read. */
export function geoMeta(geo: {
  region: string;
  placename: string;
  latitude: number;
  longitude: number;
}): MetaDescriptor[] {
  return [
    { name: "geo.region", content: geo.region },
    { name: "geo.placename", content: geo.placename },
    { name: "geo.position", content: `${geo.latitude};${geo.longitude}` },
    { name: "ICBM", content: `${geo.latitude}, ${geo.longitude}` },
  ];
}
