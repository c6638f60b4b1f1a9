import type { MetaDescriptor } from "react-router";
import { artPath } from "../../lib/site/art.ts";
import type { Image } from "../../lib/site/site-fields.server.ts";

/** What every page's head says about the site; the same for all pages. */
export type SiteIdentity = {
  name: string;
  origin: string;
  shareImage: Image;
};

type PageHead = {
  title: string;
  description: string;
  /** The page's one true path. Host and query of the request never get here. */
  path: string;
  type?: "website" | "article";
  /** False keeps the page out of search engines. */
  index?: boolean;
  keywords?: string[];
  /** The title stands alone, without the name of the site. */
  bareTitle?: boolean;
  /** The page's one true address, where it is another site's. */
  canonical?: string;
  /** A path on our own origin, instead of the site's picture. */
  image?: string | null;
};

/** The head of a page: title, description, canonical address, social cards, robots. */
export function pageMeta(site: SiteIdentity | undefined, page: PageHead): MetaDescriptor[] {
  if (!site) return [{ title: page.title }];
  const title = fullTitle(site, page);
  const address = page.canonical ?? `${site.origin}${page.path}`;
  const image = site.shareImage;
  const index = page.index ?? true;
  return [
    { title },
    { name: "description", content: page.description },
    ...(page.keywords ? [{ name: "keywords", content: page.keywords.join(", ") }] : []),
    { name: "robots", content: index ? "index, follow, max-image-preview:large" : "noindex" },
    ...(index ? [{ tagName: "link", rel: "canonical", href: address }] : []),
    { property: "og:site_name", content: site.name },
    { property: "og:type", content: page.type ?? "website" },
    { property: "og:locale", content: "en_US" },
    { property: "og:title", content: title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: address },
    ...(page.image
      ? [{ property: "og:image", content: `${site.origin}${page.image}` }]
      : [
          { property: "og:image", content: `${site.origin}${artPath(image.file)}` },
          { property: "og:image:width", content: String(image.width) },
          { property: "og:image:height", content: String(image.height) },
          { property: "og:image:alt", content: image.alt },
        ]),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

function fullTitle(site: SiteIdentity, page: PageHead): string {
  if (page.bareTitle) return page.title;
  return page.path === "/" ? `${site.name}: ${page.title}` : `${page.title} | ${site.name}`;
}
