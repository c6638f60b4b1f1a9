import { and, desc, isNotNull } from "drizzle-orm";
import { orIfUnavailable } from "../../../../db/failures.ts";
import { readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { errorFields } from "../../../lib/log.ts";
import type { IssueItem } from "../../../platform/newsletter.ts";
import type { PageServices } from "../../../platform/services.ts";
import { shareKinds } from "../../../platform/share-card.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { briefFile } from "../../brief/files.server.ts";
import type { Brief } from "../../brief/model.ts";
import { findLatestBrief } from "../../brief/read.server.ts";
import type { ShownIssue, ShownItem } from "../model.ts";
import { newsletterIssues } from "../schema.server.ts";
import type { IssueRecord } from "./issue.server.ts";
import { isCorrection } from "./send.server.ts";

type LatestIssue = Pick<IssueRecord, "id" | "subject" | "sections">;

export const latestIssue: SharedRead<LatestIssue | null> = {
  name: "latest issue",
  tags: [cacheTags.newsletter],
  async load(db) {
    const { id, subject, sections, writtenAt } = newsletterIssues;
    const [issue] = await db
      .select({ id, subject, sections })
      .from(newsletterIssues)
      .where(and(isNotNull(sections), isNotNull(writtenAt)))
      .orderBy(desc(id))
      .limit(1);
    return issue ?? null;
  },
};

type IssueServices = PageServices & { findIssueItem(path: string): Promise<IssueItem | null> };

/**
 * The latest issue or, before the first one, the latest daily brief. An issue contains nothing
 * about its subscribers, because unsubscribe links are added only to emails.
 */
export async function readShownIssue(services: IssueServices): Promise<ShownIssue | null> {
  const issue = await readSharedOr(services.db, latestIssue, null);
  if (!issue) return readBriefAsIssue(services);
  const sections = await Promise.all(
    (issue.sections ?? []).map(async ({ heading, items }) => {
      const current = await Promise.all(items.map((item) => correctItem(services, item)));
      return { heading, items: current.filter((item) => item !== null) };
    }),
  );
  return {
    kind: "issue",
    title: issue.subject,
    sections: sections.filter(({ items }) => items.length > 0),
  };
}

/**
 * Returns the item with the current title and line of its page. Null if the page was removed since
 * the issue was sent.
 */
async function correctItem(
  { site, log, findIssueItem }: IssueServices,
  { title, link, line }: IssueItem,
): Promise<ShownItem | null> {
  const { origin } = site.read(siteSettingsFile);
  const toOwnPath = (url: string) =>
    url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const to = toOwnPath(link);
  if (!shareKinds.some((kind) => to.startsWith(`/${kind}/`))) return { title, line, to };
  try {
    const current = await findIssueItem(to);
    if (!current) return null;
    // The line of a correction is about the text that the issue contained.
    return {
      title: current.title,
      line: isCorrection(line) ? line : current.line,
      to: toOwnPath(current.link),
    };
  } catch (error) {
    log.warn("newsletter.item_not_checked", errorFields(error));
    return { title, line, to };
  }
}

async function readBriefAsIssue(services: PageServices): Promise<ShownIssue | null> {
  // Readers can subscribe even if there is no database.
  const brief = await orIfUnavailable(findLatestBrief(services), null);
  if (!brief) return null;
  const title = `${services.site.read(briefFile).heading}, ${brief.date}`;
  const { network } = services.site.read(siteSettingsFile);
  return { kind: "brief", title, sections: toSections(brief, network.name) };
}

const toSections = (brief: Brief, signature: string): ShownIssue["sections"] =>
  [
    {
      heading: "Headlines",
      items: brief.headlines.map(({ title, link, source }) => ({ title, to: link, line: source })),
    },
    {
      heading: `Good to know from ${signature}`,
      items: brief.goodToKnow.map(({ title, link, summary }) => ({
        title,
        // The item is ours, although it is about another site.
        to: typeof link === "string" ? link : null,
        line: summary,
      })),
    },
    {
      heading: "From our newsroom",
      items: brief.stories.map((story) => ({
        title: story.title,
        to: story.path,
        line: markSample(story, story.excerpt),
      })),
    },
    {
      heading: brief.areEventsToday ? "Events today" : "Coming up",
      items: brief.events.map((event) => ({
        title: event.isCanceled ? `Canceled: ${event.title}` : event.title,
        to: event.path,
        line: markSample(event, [event.when, event.location].filter(Boolean).join(" · ")),
      })),
    },
  ].filter(({ items }) => items.length > 0);

const markSample = ({ isSample }: { isSample: boolean }, line: string) =>
  isSample ? `Sample · ${line}` : line;
