import { and, desc, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { orIfUnavailable } from "../../../../db/failures.ts";
import { readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { errorFields } from "../../../lib/log.ts";
import type { IssueItem } from "../../../platform/newsletter.ts";
import type { PageServices } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { blogSource } from "../../blog/backend/source.server.ts";
import { postIssueItem } from "../../blog/issue.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { briefFile } from "../../brief/files.server.ts";
import type { Brief } from "../../brief/model.ts";
import { findLatestBrief } from "../../brief/read.server.ts";
import { eventIssueItem } from "../../events/issue.server.ts";
import { createEventLookup, findEventStates } from "../../events/listing/gather.server.ts";
import { storyIssueItem } from "../../stories/issue.server.ts";
import { findPublishedStories } from "../../stories/stories.server.ts";
import { isCorrection } from "./earlier.server.ts";
import { newsletterIssues } from "./schema.server.ts";
import type { ShownIssue, ShownItem } from "./shown-issue.ts";

const storedSections = z.array(
  z.object({
    heading: z.string(),
    items: z.array(z.object({ title: z.string(), link: z.string(), line: z.string() })),
  }),
);

type LatestIssue = { id: string; subject: string; sections: unknown };

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

/**
 * Reads the latest issue or, before the first, the latest daily brief. An issue contains nothing
 * about its subscribers: their unsubscribe links are added only to emails.
 */
export async function readShownIssue(services: PageServices): Promise<ShownIssue | null> {
  const issue = await readSharedOr(services.db, latestIssue, null);
  if (!issue) return readBriefAsIssue(services);
  const sections = await Promise.all(
    storedSections.parse(issue.sections).map(async ({ heading, items }) => {
      const current = await Promise.all(items.map((item) => correctItem(services, issue.id, item)));
      return { heading, items: current.filter((item) => item !== null) };
    }),
  );
  return {
    kind: "issue",
    title: issue.subject,
    sections: sections.filter(({ items }) => items.length > 0),
  };
}

/** An item as it is now. Null if its story, event or post was removed since the issue was sent. */
async function correctItem(
  services: PageServices,
  day: string,
  { title, link, line }: IssueItem,
): Promise<ShownItem | null> {
  const { origin } = services.site.read(siteSettingsFile);
  if (!link.startsWith(`${origin}/`)) return { title, line, to: link };
  const to = link.slice(origin.length);
  const current = await findCurrent(services, to, day);
  if (current === "unknown") return { title, line, to };
  if (!current) return null;
  // The line of a correction is about the text that the issue contained.
  return { title: current.title, line: isCorrection(line) ? line : (current.line ?? line), to };
}

type CurrentItem = { title: string; line?: string };

/** Finds what one of our pages is called now; null if there is no such page anymore. */
async function findCurrent(
  services: PageServices,
  path: string,
  day: string,
): Promise<CurrentItem | "unknown" | null> {
  const settings = services.site.read(siteSettingsFile);
  if (!services.site.has(path)) return null;
  const [, folder, id = ""] = path.split("/");
  switch (folder) {
    case "news": {
      const story = (await findPublishedStories(services, [id])).get(id);
      return story ? storyIssueItem(story, settings.origin) : null;
    }
    case "events": {
      const state = (await findEventStates(createEventLookup(services, settings), [id])).get(id);
      if (!state?.event) return state ? "unknown" : null;
      const item = eventIssueItem(state.event, day, settings);
      const title = state.isCanceled ? `Canceled: ${item.title}` : item.title;
      // Of a series, only the next date is known.
      return state.event.isSeries ? { title } : { title, line: item.line };
    }
    case "blog": {
      try {
        const post = await blogSource(services).details(decodeURIComponent(id));
        return post && postIssueItem(post, settings.origin);
      } catch (error) {
        services.log.warn("newsletter.post_not_checked", errorFields(error));
        return "unknown";
      }
    }
    default:
      return "unknown";
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
