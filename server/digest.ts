import { publishInstant } from "../app/features/blog/file-posts.server.ts";
import { blogSource, ownDomain } from "../app/features/blog/source.server.ts";
import { brandFile } from "../app/features/brand/files.server.ts";
import { contactFile } from "../app/features/contact/files.server.ts";
import { unsubscribeBounced } from "../app/features/digest/bounces.server.ts";
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
import { findMail } from "../app/features/mail/list.server.ts";
import { queueMail } from "../app/features/mail/queue.server.ts";
import { newsletterFile } from "../app/features/newsletter/files.server.ts";
import { readersAfter } from "../app/features/newsletter/list.server.ts";
import { addDays, daysBefore, instantAt } from "../app/lib/dates.ts";
import type { Services } from "../app/platform/services.ts";

/** What is new is of the last week, what is to come is of the next. */
const weekDays = 7;
const localSection = "local";

/** The letter of a day, made of what the site has at this moment; null when it has nothing but samples. */
export async function writeDigest(services: Services, day: string): Promise<Issue | null> {
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

/** Begins the letter of a day, unless it is begun, and says how it stands; null when there is nothing to send. */
export async function beginDigest(
  services: Services,
  id: string,
  confirmedBy: Date,
): Promise<IssueRecord | null> {
  const { db, clock } = services;
  const begun = await findIssue(db, id);
  if (begun) return begun;
  const written = await writeDigest(services, id);
  if (!written) return null;
  await keepIssue(db, clock, { id, confirmedBy, ...written });
  const issue = await findIssue(db, id);
  if (!issue) throw new Error(`The letter of ${id} was removed while it was written.`);
  return issue;
}

const skippedKey = (id: string) => `digest-skipped:${id}`;

/** Tells the newsroom, once, that no letter goes out. Nothing is stored under its day, so it can be sent by hand later. */
async function skipDigest({ db, clock, site, log, mail }: Services, id: string): Promise<void> {
  await queueMail(db, clock, {
    key: skippedKey(id),
    to: site.read(contactFile).email,
    subject: "The newsletter was not sent",
    text: `The newsletter of ${id} was due, but there is nothing to put into it: no local headline, no blog
post of the last ${weekDays} days and no event of the next ${weekDays} days that is more than a sample.
No subscriber was sent anything.

When there is something to read, send it by hand on the same day:

  ./newsroom digest preview
  ./newsroom digest send

"./newsroom doctor" says whether headlines and calendars can be fetched.
`,
  });
  log.warn("digest.skipped", { issue: id });
  mail.wake();
}

/** Every minute: goes on with a letter that was stopped, and begins the one whose time has come. */
export async function sendScheduledDigest(services: Services): Promise<void> {
  const { db, clock, site, log, mail } = services;
  const { schedule } = site.read(newsletterFile).digest;
  const unsubscribed = await unsubscribeBounced(db);
  if (unsubscribed > 0) log.info("newsletter.bounced_unsubscribed", { readers: unsubscribed });
  const due = schedule ? dueIssue(schedule, clock(), site.read(brandFile).timeZone) : null;
  // One that was skipped stays so, even if there is something to send an hour later: the newsroom decides then.
  const isNew =
    due !== null &&
    (await readersAfter(db, null, due.at)).length > 0 &&
    (await findMail(db, skippedKey(due.id))) === null;
  const unfinished = await unfinishedIssue(db);
  const issue = unfinished ?? (isNew ? await beginDigest(services, due.id, due.at) : null);
  if (!issue && isNew) await skipDigest(services, due.id);
  if (!issue || issue.writtenAt) return;
  const readers = await writeMails(db, clock, issue);
  log.info("digest.written", { issue: issue.id, readers });
  mail.wake();
}
