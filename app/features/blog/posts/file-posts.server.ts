import { writtenInstant } from "../../../lib/dates.ts";
import { findAvailable } from "../../../lib/images/art.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { Services } from "../../../platform/services.ts";
import { type SiteSettings, siteSettingsFile } from "../../brand/files.server.ts";
import { type FileNote, readFileNotes } from "../../file-notes/notes.server.ts";
import { blogFolder, type PostFile } from "../files.server.ts";
import { domainOf } from "../model.ts";
import { type Post, typesetCorrection, typesetPost } from "./post.ts";

export type DatedPost = Post & {
  publishAt: Date;
  isDraft: boolean;
  /** Whether an editor took the post down. Then it is a draft, whatever its file says. */
  isDown: boolean;
  category: string | null;
};

export const isPublished = (
  { isDraft, publishAt }: Pick<DatedPost, "isDraft" | "publishAt">,
  now: Date,
): boolean => !isDraft && publishAt <= now;

const filePosts = createMemo<DatedPost[]>();

export async function listFilePosts({ site, db }: Pick<Services, "site" | "db">) {
  const settings = site.read(siteSettingsFile);
  const files = site.readAll(blogFolder);
  const notes = await readFileNotes(db, "post");
  return filePosts("all", [files, settings, notes], () =>
    files.map((file) => toFilePost(file, settings, notes.get(file.id))),
  );
}

function toFilePost(
  { id, front, body }: PostFile,
  { origin, timeZone }: Pick<SiteSettings, "origin" | "timeZone">,
  note?: FileNote,
): DatedPost {
  const { pinterestImageLink: link = null } = front;
  const corrections = [...front.corrections, ...(note?.corrections.map(typesetCorrection) ?? [])];
  const isDown = note?.isDown ?? false;
  return typesetPost({
    id,
    domain: domainOf(new URL(origin).host),
    slug: id,
    blog: body,
    metaTitle: front.metaTitle,
    metaDescription: front.metaDescription,
    date: front.date,
    publishAt: writtenInstant(front.date, timeZone),
    isDraft: front.draft || isDown,
    isDown,
    category: front.category ?? null,
    author: front.author,
    updated: front.updated ?? null,
    corrections,
    image: findAvailable(front.image),
    // Other sites read this field as well, so it is always a complete URL.
    pinterestImageLink: link?.startsWith("/") ? origin + link : link,
    shortTailKeywords: front.shortTailKeywords ?? null,
    longTailKeywords: front.longTailKeywords ?? null,
    youtubeShortsUrl: front.youtubeShortsUrl ?? null,
    isFile: true,
  });
}
