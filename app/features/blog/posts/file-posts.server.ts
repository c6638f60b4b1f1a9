import { writtenInstant } from "../../../lib/dates.ts";
import { findAvailable } from "../../../lib/images/art.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { type SiteSettings, siteSettingsFile } from "../../brand/files.server.ts";
import { blogFolder, type PostFile } from "../files.server.ts";
import { domainOf } from "../model.ts";
import { type Post, typesetPost } from "./post.ts";

/** A post with the instant from which readers see it. */
export type DatedPost = Post & {
  publishAt: Date;
  /** Readers never see a draft. */
  isDraft: boolean;
  /** When the post is updated or corrected. */
  changesAt: Date[];
  category: string | null;
};

/** Whether readers may see the post. */
export const isPublished = (
  { isDraft, publishAt }: Pick<DatedPost, "isDraft" | "publishAt">,
  now: Date,
): boolean => !isDraft && publishAt <= now;

const filePosts = createMemo<DatedPost[]>();

/** All posts that are files, drafts included. */
export function listFilePosts(site: SiteContent): DatedPost[] {
  const settings = site.read(siteSettingsFile);
  const files = site.readAll(blogFolder);
  return filePosts("all", [files, settings], () => files.map((file) => toFilePost(file, settings)));
}

export function toFilePost(
  { id, front, body }: PostFile,
  { origin, timeZone }: Pick<SiteSettings, "origin" | "timeZone">,
): DatedPost {
  const { pinterestImageLink: link = null } = front;
  return typesetPost({
    id,
    domain: domainOf(new URL(origin).host),
    slug: id,
    blog: body,
    metaTitle: front.metaTitle,
    metaDescription: front.metaDescription,
    date: front.date,
    publishAt: writtenInstant(front.date, timeZone),
    isDraft: front.draft,
    changesAt: [front.updated, ...front.corrections.map((correction) => correction.date)]
      .filter((date) => date !== undefined)
      .map((date) => writtenInstant(date, timeZone)),
    category: front.category ?? null,
    author: front.author,
    updated: front.updated ?? null,
    corrections: front.corrections,
    image: findAvailable(front.image),
    // Other sites read this field as well, so it is always a complete URL.
    pinterestImageLink: link?.startsWith("/") ? origin + link : link,
    shortTailKeywords: front.shortTailKeywords ?? null,
    longTailKeywords: front.longTailKeywords ?? null,
    youtubeShortsUrl: front.youtubeShortsUrl ?? null,
    isFile: true,
  });
}
