import type { Services } from "../app/context.ts";
import { publishInstant } from "../app/features/blog/file-posts.server.ts";
import { blogSource, ownDomain } from "../app/features/blog/source.server.ts";
import { brandFile } from "../app/features/brand/files.server.ts";
import { contactFile } from "../app/features/contact/files.server.ts";
import { type DigestItem, formatDigest, type Issue } from "../app/features/digest/format.server.ts";
import {
  findIssue,
  type IssueRecord,
  keepIssue,
  unfinishedIssue,
  writeMails,
} from "../app/features/digest/issue.server.ts";
import { dueIssue } from "../app/features/digest/schedule.ts";
import { eventItem } from "../app/features/events/describe.server.ts";
import { eventOrigins } from "../app/features/events/gather.server.ts";
import { feedEvents } from "../app/features/events/view.server.ts";
import { listedHeadlines } from "../app/features/feeds/content.server.ts";
import { newsletterFile } from "../app/features/newsletter/files.server.ts";
import { readersAfter } from "../app/features/newsletter/list.server.ts";
import { addDays, daysBefore, instantAt } from "../app/lib/dates.ts";

/** What is new is of the last week, what is to come is of the next. */
const weekDays = 7;
const localSection = "local";

/** The letter of a day, made of what the site has at this moment. */
export async function writeDigest(services: Services, day: string): Promise<Issue> {
  const { site } = services;
  const { subject, greeting, headings, counts } = site.read(newsletterFile).digest;
  const { origin, name } = site.read(brandFile);
  const { address } = site.read(contactFile);
  const [headlines, posts, events] = await Promise.all([
    headlineItems(services),
    postItems(services),
    eventItems(services, day),
  ]);
  return formatDigest({
    ...{ day, subject, greeting, heading: site.read(newsletterFile).heading },
    sections: [
      {
        heading: headings.headlines,
        items: headlines.slice(0, counts.headlines),
        more: { label: "All local headlines", link: `${origin}/${localSection}` },
      },
      {
        heading: headings.posts,
        items: posts.slice(0, counts.posts),
        more: { label: "All posts", link: `${origin}/blog` },
      },
      {
        heading: headings.events,
        items: events.slice(0, counts.events),
        more: { label: "The whole calendar", link: `${origin}/events` },
      },
    ],
    imprint: { name, ...address, privacy: `${origin}/privacy` },
  });
}

async function headlineItems({ site, db, clock }: Services): Promise<DigestItem[]> {
  const { timeZone } = site.read(brandFile);
  // A letter is no page, and nothing has to be made anew when a source changes.
  const reading = { site, db, clock, timeZone, tags: { add() {} } };
  const section = await listedHeadlines(reading, localSection);
  return (section?.headlines ?? []).map(({ title, link, source, paywall }) => ({
    ...{ title, link },
    line: [source, paywall && "subscribers only"].filter(Boolean).join(" · "),
  }));
}

async function postItems(services: Services): Promise<DigestItem[]> {
  const { site, clock } = services;
  const { origin, timeZone } = site.read(brandFile);
  const source = blogSource(services);
  const { heads } = await source.list(ownDomain(site), 1);
  const posts = await Promise.all(heads.map(({ slug }) => source.details(slug)));
  return posts
    .filter((post) => post !== null)
    .filter(({ date }) => publishInstant(date, timeZone) >= daysBefore(clock(), weekDays))
    .map(({ metaTitle, metaDescription, slug }) => ({
      ...{ title: metaTitle, line: metaDescription, link: `${origin}/blog/${slug}` },
    }));
}

async function eventItems(services: Services, day: string): Promise<DigestItem[]> {
  const brand = services.site.read(brandFile);
  const { timeZone, origin } = brand;
  const until = instantAt(addDays(day, weekDays), "00:00", timeZone);
  const { events } = await feedEvents(eventOrigins(services, brand), new URLSearchParams());
  const seen = new Set<string>();
  return events
    .filter(({ isSample }) => !isSample)
    .filter(({ startsAt, series }) => startsAt < until && !seen.has(series) && seen.add(series))
    .map((event) => {
      const { id, title, dateLine, timeLine, location } = eventItem(event, timeZone);
      // Within a week nobody needs to be told the year.
      const day = dateLine.replace(/, \d{4}$/, "");
      const line = [day, timeLine, location, event.free && "free"].filter(Boolean).join(" · ");
      return { title, line, link: `${origin}/events/${id}` };
    });
}

/** Begins the letter of a day, unless it is begun, and says how it stands. */
export async function beginDigest(services: Services, id: string, confirmedBy: Date): Promise<IssueRecord> {
  const { db, clock } = services;
  const begun = await findIssue(db, id);
  if (begun) return begun;
  await keepIssue(db, clock, { id, confirmedBy, ...(await writeDigest(services, id)) });
  const issue = await findIssue(db, id);
  if (!issue) throw new Error(`The letter of ${id} was removed while it was written.`);
  return issue;
}

/** Every minute: goes on with a letter that was stopped, and begins the one whose time has come. */
export async function sendScheduledDigest(services: Services): Promise<void> {
  const { db, clock, site, log, mail } = services;
  const { schedule } = site.read(newsletterFile).digest;
  const due = schedule ? dueIssue(schedule, clock(), site.read(brandFile).timeZone) : null;
  const isNew = due !== null && (await readersAfter(db, null, due.at)).length > 0;
  const issue = (await unfinishedIssue(db)) ?? (isNew ? await beginDigest(services, due.id, due.at) : null);
  if (!issue || issue.writtenAt) return;
  const readers = await writeMails(db, clock, issue);
  log.info("digest.written", { issue: issue.id, readers });
  mail.wake();
}
