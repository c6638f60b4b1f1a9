import type { IssueContext, IssueItem } from "../../platform/newsletter.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { StoryRecord } from "./record.server.ts";
import { listNewestStories } from "./stories.server.ts";

/** The stories that subscribers do not know yet, newest first and without samples. */
export async function issueStories(
  services: Services,
  { since, wasSent }: IssueContext,
): Promise<IssueItem[]> {
  const { origin } = services.site.read(siteSettingsFile);
  const stories = await listNewestStories(services);
  return stories
    .filter(({ isSample, publishedAt }) => !isSample && publishedAt >= since)
    .map((story) => storyIssueItem(story, origin))
    .filter(({ link }) => !wasSent(link));
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
