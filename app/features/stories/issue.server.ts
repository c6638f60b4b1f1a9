import { readShared } from "../../../db/shared-reads.ts";
import type { IssueContext, IssueItem } from "../../platform/newsletter.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { renamedPaths } from "../redirects/rows.server.ts";
import type { StoryRecord } from "./record.server.ts";
import { findPublishedStories, listNewestStories, type StoryServices } from "./stories.server.ts";

/** The stories that subscribers do not know yet, newest first and without samples. */
export async function issueStories(
  services: StoryServices,
  { since, wasSent }: Pick<IssueContext, "since" | "wasSent">,
): Promise<IssueItem[]> {
  const { origin } = services.site.read(siteSettingsFile);
  const stories = await listNewestStories(services);
  const newPaths = Object.entries(await readShared(services.db, renamedPaths));
  /** Under its path of now, or under one that it had before. */
  const wasStorySent = ({ id }: StoryRecord) =>
    [`/news/${id}`, ...newPaths.flatMap(([old, path]) => (path === `/news/${id}` ? old : []))].some(
      (path) => wasSent(origin + path),
    );
  return stories
    .filter(({ isSample, publishedAt }) => !isSample && publishedAt >= since)
    .filter((story) => !wasStorySent(story))
    .map((story) => toIssueItem(story, origin));
}

/** A story of an issue as it is now, also if it was renamed since. */
export async function findIssueStory(
  services: StoryServices,
  id: string,
): Promise<IssueItem | null> {
  const story = (await findPublishedStories(services, [id])).get(id);
  return story ? toIssueItem(story, services.site.read(siteSettingsFile).origin) : null;
}

const toIssueItem = (
  { id, title, excerpt, image, isFromReader }: StoryRecord,
  origin: string,
): IssueItem => ({
  title,
  image,
  line: isFromReader ? `From a reader: ${excerpt}` : excerpt,
  link: `${origin}/news/${id}`,
});
