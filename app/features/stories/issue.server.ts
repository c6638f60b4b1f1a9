import { readShared } from "../../../db/shared-reads.ts";
import type { IssueContext, IssueItem } from "../../platform/newsletter.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { renamedPaths } from "../redirects/rows.server.ts";
import type { StoryRecord } from "./record.server.ts";
import { listNewestStories } from "./stories.server.ts";

/** The stories that subscribers do not know yet, newest first and without samples. */
export async function issueStories(
  services: Services,
  { since, wasSent }: IssueContext,
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
    .map((story) => storyIssueItem(story, origin));
}

export const storyIssueItem = (
  { id, title, excerpt, image, isFromReader }: StoryRecord,
  origin: string,
): IssueItem => ({
  title,
  image,
  line: isFromReader ? `From a reader: ${excerpt}` : excerpt,
  link: `${origin}/news/${id}`,
});
