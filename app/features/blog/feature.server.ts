import { daysBefore, writtenInstant } from "../../lib/dates.ts";
import type { Check } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import type { IssueItem } from "../../platform/newsletter.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { checkCategory } from "../feeds/checks.server.ts";
import { createNoteCheck, followRenames } from "../file-notes/notes.server.ts";
import { noteDates } from "../stories/check.server.ts";
import { corsHeaders } from "./backend/functions.server.ts";
import { findPost, findPostCard } from "./backend/load.server.ts";
import { ownDomain, postSource } from "./backend/source.server.ts";
import { isUsableSlug } from "./contract.ts";
import { postDocuments } from "./documents.server.ts";
import { blogFile, blogFolder } from "./files.server.ts";
import { postPath } from "./paths.ts";
import { deleteOldImages } from "./posts/images.server.ts";
import type { Post } from "./posts/post.ts";
import { storedPosts } from "./posts/posts.server.ts";
import { postCorrections, postSitemap } from "./posts/published.server.ts";

const checkPosts: Check = (city) =>
  city.readAll(blogFolder).flatMap(({ id, front }) => {
    const file = `${blogFolder.folder}/${id}.md`;
    const { category, draft } = front;
    return [
      ...(category === undefined || draft ? [] : checkCategory(city, file, category)),
      ...noteDates(city, { file, noun: "post", preview: `blog preview ${id}`, front }),
    ];
  });

export const blog: Feature = {
  name: "blog",
  part: "blog",
  files: [blogFile, blogFolder],
  sharedReads: () => [storedPosts],
  documents: postDocuments,
  shareCards: {
    kind: "blog",
    async find(services, slug) {
      const post = await findPost(services, slug);
      return post && findPostCard(services, post);
    },
  },
  sitemap: postSitemap,
  crossOrigin: { path: "/functions/", headers: corsHeaders },
  pages(site) {
    const { title, heading, description, intro } = site.read(blogFile);
    return { "/blog": { title, aliases: [heading], summary: description, body: intro } };
  },
  newsletter: {
    section: "posts",
    gather: issuePosts,
    find: findIssuePost,
    corrections: postCorrections,
    more: { label: "All posts", path: "/blog" },
  },
  retention: { images: ({ db, clock }) => deleteOldImages(db, clock) },
  checks: [checkPosts, createNoteCheck("post", blogFolder)],
  onSiteChanged: followRenames("post", blogFolder),
  async checkLink(path, city) {
    const [, encodedSlug] = /^\/blog\/([^/]+)$/.exec(path) ?? [];
    if (encodedSlug === undefined) return undefined;
    const slug = decodeSlug(encodedSlug);
    const names = city.names(blogFolder);
    if (names.includes(slug)) return null;
    const services = await city.services();
    if (services && isUsableSlug(slug) && (await postSource(services).find(slug))) return null;
    return { known: names.map(postPath) };
  },
};

function decodeSlug(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

const daysPerWeek = 7;

async function issuePosts(services: Services): Promise<IssueItem[]> {
  const { site, clock } = services;
  const { origin, timeZone } = site.read(siteSettingsFile);
  const source = postSource(services);
  const { heads } = await source.list(ownDomain(site), 1);
  const posts = await Promise.all(heads.map(({ slug }) => source.find(slug)));
  return posts
    .filter((post) => post !== null)
    .filter(({ date }) => writtenInstant(date, timeZone) >= daysBefore(clock(), daysPerWeek))
    .map((post) => toIssueItem(post, origin));
}

async function findIssuePost(services: Services, slug: string): Promise<IssueItem | null> {
  const post = await postSource(services).find(slug);
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
