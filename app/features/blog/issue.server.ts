import { daysBefore, writtenInstant } from "../../lib/dates.ts";
import type { IssueItem } from "../../platform/newsletter.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { blogSource, ownDomain } from "./backend/source.server.ts";
import { postPath } from "./paths.ts";
import type { Post } from "./posts/post.ts";

const daysPerWeek = 7;

export async function issuePosts(services: Services): Promise<IssueItem[]> {
  const { site, clock } = services;
  const { origin, timeZone } = site.read(siteSettingsFile);
  const source = blogSource(services);
  const { heads } = await source.list(ownDomain(site), 1);
  const posts = await Promise.all(heads.map(({ slug }) => source.details(slug)));
  return posts
    .filter((post) => post !== null)
    .filter(({ date }) => writtenInstant(date, timeZone) >= daysBefore(clock(), daysPerWeek))
    .map((post) => toIssueItem(post, origin));
}

export async function findIssuePost(services: Services, slug: string): Promise<IssueItem | null> {
  const post = await blogSource(services).details(slug);
  return post && toIssueItem(post, services.site.read(siteSettingsFile).origin);
}

const toIssueItem = (
  { metaTitle, metaDescription, slug, image }: Post,
  origin: string,
): IssueItem => ({
  image,
  title: metaTitle,
  line: metaDescription,
  link: origin + postPath(slug),
});
