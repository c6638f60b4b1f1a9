import { instantAt } from "../../../lib/dates.ts";
import type { PostFile } from "../files.server.ts";
import { isCalendarDay } from "../model.ts";
import type { Post } from "./post.ts";

/** A post with the instant from which readers see it. */
export type DatedPost = Post & { publishAt: Date };

/** When a post with this date is published: a calendar day begins at midnight in the city. */
export const publishInstant = (date: string, timeZone: string): Date =>
  isCalendarDay(date) ? instantAt(date, "00:00", timeZone) : new Date(date);

export function toFilePost(
  { id, front, body }: PostFile,
  domain: string,
  timeZone: string,
): DatedPost {
  return {
    id,
    domain,
    slug: id,
    blog: body,
    metaTitle: front.metaTitle,
    metaDescription: front.metaDescription,
    date: front.date,
    publishAt: publishInstant(front.date, timeZone),
    pinterestImageLink: front.pinterestImageLink ?? null,
    shortTailKeywords: front.shortTailKeywords ?? null,
    longTailKeywords: front.longTailKeywords ?? null,
    youtubeShortsUrl: front.youtubeShortsUrl ?? null,
  };
}
