import type { MetaDescriptor } from "react-router";
import { pageMeta, type SiteIdentity } from "./meta.ts";
import { type PostFacts, postData } from "./structured-data.ts";

/** The head of a blog post: its title and description exactly as they were written. */
export function articleHead(
  site: SiteIdentity | undefined,
  post: PostFacts & { domain: string },
): MetaDescriptor[] {
  if (!site)
    return [{ title: post.metaTitle }, { name: "description", content: post.metaDescription }];
  const path = `/blog/${post.slug}`;
  // A sister city's post belongs to that city, also where we show it.
  const address =
    post.domain === new URL(site.origin).host
      ? `${site.origin}${path}`
      : `https://${post.domain}${path}`;
  // Sites that show a picture beside a link cannot read SVG.
  const picture = post.picture && !post.picture.endsWith(".svg") ? post.picture : null;
  return [
    ...pageMeta(site, {
      path,
      image: picture,
      canonical: address,
      title: post.metaTitle,
      description: post.metaDescription,
      type: "article",
      bareTitle: true,
    }),
    postData(site, post, address),
  ];
}

/** The head of a page that has nothing to show, or nothing yet. */
export const plainHead = (
  site: SiteIdentity | undefined,
  title: string,
  path: string,
): MetaDescriptor[] =>
  pageMeta(site, { title, path, description: `${title}: an article of our blog.`, index: false });
