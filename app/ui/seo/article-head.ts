import type { MetaDescriptor } from "react-router";
import { type HeadImage, pageMeta, type SiteIdentity } from "./meta.ts";
import { breadcrumbData, type PostFacts, postData } from "./structured-data.ts";

/** The head of a blog post, with its title and description exactly as written. */
export function articleHead(
  site: SiteIdentity,
  post: PostFacts & { domain: string; shareImage: HeadImage | null },
): MetaDescriptor[] {
  const { path } = post;
  // The canonical URL of a sister city's post is on that city's site. Domains are stored without
  // "www." and the port.
  const isOurs = post.domain === new URL(site.origin).hostname.replace(/^www\./, "");
  const canonical = `${isOurs ? site.origin : `https://${post.domain}`}${path}`;
  return [
    ...pageMeta(site, {
      path,
      image: post.shareImage,
      canonical,
      title: post.metaTitle,
      description: post.metaDescription,
      type: "article",
      bareTitle: true,
    }),
    postData(site, post, canonical),
    ...(isOurs
      ? [breadcrumbData(site, { name: "Blog", path: "/blog" }, { name: post.metaTitle, path })]
      : []),
  ];
}

/** The head of a blog page without a post: it is loading, missing, or failed to load. */
export const plainHead = (site: SiteIdentity, title: string): MetaDescriptor[] =>
  pageMeta(site, {
    title,
    path: null,
    description: `${title}. More articles are on our blog.`,
    index: false,
  });
