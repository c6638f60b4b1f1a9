import { showDateAndTime } from "../../../lib/article-dates.ts";
import { formatByZone } from "../../../lib/dates.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listFileStories } from "../file-stories.server.ts";
import type { StoryPageContent } from "../model.ts";
import { isPublished } from "../record.server.ts";
import { readStoryPage } from "../story-page.server.ts";
import { checkPreviewToken } from "./links.server.ts";

/** What the banner above a preview says. */
export type PreviewNote = {
  state: "draft" | "scheduled";
  /** When it will be published. Null for a draft. */
  publishedOn: string | null;
  expiresOn: string;
};

type Preview =
  | { kind: "shown"; page: StoryPageContent; note: PreviewNote }
  | { kind: "published" }
  | { kind: "refused" };

const dayAndTime = formatByZone({ dateStyle: "long", timeStyle: "short" });

/** Finds the story of a preview link. An invalid link says nothing about the story. */
export async function findPreview(
  services: PageServices,
  id: string,
  token: string,
): Promise<Preview> {
  const now = services.clock();
  const expiresAt = await checkPreviewToken(services.db, id, token, now);
  const record = expiresAt && (await listFileStories(services)).find((story) => story.id === id);
  if (!record) return { kind: "refused" };
  if (isPublished(record, now)) return { kind: "published" };
  return {
    kind: "shown",
    page: await readStoryPage(services, record),
    note: describePreview(services, record, expiresAt),
  };
}

/** What the banner says about a story or a post that readers do not see yet. */
export function describePreview(
  { site }: Pick<Services, "site">,
  { isDraft, writtenDate }: { isDraft: boolean; writtenDate: string },
  expiresAt: Date,
): PreviewNote {
  const { timeZone } = site.read(siteSettingsFile);
  return {
    state: isDraft ? "draft" : "scheduled",
    publishedOn: isDraft ? null : showDateAndTime(writtenDate, timeZone).text,
    expiresOn: dayAndTime(timeZone).format(expiresAt),
  };
}
