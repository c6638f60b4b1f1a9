import { and, desc, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { orIfUnavailable } from "../../../../db/failures.ts";
import { readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import type { PageServices } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { briefFile } from "../../brief/files.server.ts";
import type { Brief } from "../../brief/model.ts";
import { findLatestBrief } from "../../brief/read.server.ts";
import { createEventLookup, findEventStates } from "../../events/listing/gather.server.ts";
import { findPublishedStories } from "../../stories/stories.server.ts";
import { newsletterIssues } from "./schema.server.ts";
import type { ShownIssue, ShownItem } from "./shown-issue.ts";

const storedSections = z.array(
  z.object({
    heading: z.string(),
    items: z.array(z.object({ title: z.string(), link: z.string(), line: z.string() })),
  }),
);

export const latestIssue: SharedRead<{ subject: string; sections: unknown } | null> = {
  name: "latest issue",
  tags: [cacheTags.newsletter],
  async load(db) {
    const { subject, sections, writtenAt } = newsletterIssues;
    const [issue] = await db
      .select({ subject, sections })
      .from(newsletterIssues)
      .where(and(isNotNull(sections), isNotNull(writtenAt)))
      .orderBy(desc(newsletterIssues.id))
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
  const { origin } = services.site.read(siteSettingsFile);
  const shown = storedSections.parse(issue.sections).map(({ heading, items }) => ({
    heading,
    items: items.map(({ title, link, line }) => ({ title, line, to: toOwnPath(link, origin) })),
  }));
  return { kind: "issue", title: issue.subject, sections: await dropRemoved(services, shown) };
}

const toOwnPath = (link: string, origin: string) =>
  link.startsWith(`${origin}/`) ? link.slice(origin.length) : link;

const idIn = (folder: string, { to }: ShownItem) =>
  to?.startsWith(`/${folder}/`) ? to.slice(folder.length + 2) : undefined;

/** Drops stories and events that were removed since the issue was sent. */
async function dropRemoved(
  services: PageServices,
  sections: ShownIssue["sections"],
): Promise<ShownIssue["sections"]> {
  const items = sections.flatMap((section) => section.items);
  const listIds = (folder: string) => items.flatMap((item) => idIn(folder, item) ?? []);
  const stories = await findPublishedStories(services, listIds("news"));
  const lookup = createEventLookup(services, services.site.read(siteSettingsFile));
  const events = await findEventStates(lookup, listIds("events"));
  const isAvailable = (item: ShownItem) => {
    const [story, event] = [idIn("news", item), idIn("events", item)];
    return (
      (story === undefined || stories.has(story)) && (event === undefined || events.has(event))
    );
  };
  return sections
    .map(({ heading, items }) => ({ heading, items: items.filter(isAvailable) }))
    .filter(({ items }) => items.length > 0);
}

async function readBriefAsIssue(services: PageServices): Promise<ShownIssue | null> {
  // Readers can subscribe even if there is no database.
  const brief = await orIfUnavailable(findLatestBrief(services), null);
  if (!brief) return null;
  const title = `${services.site.read(briefFile).heading}, ${brief.date}`;
  const { network } = services.site.read(siteSettingsFile);
  return { kind: "brief", title, sections: toSections(brief, network) };
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
