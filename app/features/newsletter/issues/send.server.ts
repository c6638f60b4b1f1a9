import { desc, lt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { newestCorrectionFirst, type PublishedCorrection } from "../../../lib/article-dates.ts";
import { addDays, calendarDay, daysBefore, instantAt } from "../../../lib/dates.ts";
import type { Feature } from "../../../platform/feature.ts";
import type { IssueContext, IssueItem } from "../../../platform/newsletter.ts";
import { noPage, type Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { dayHeading } from "../../events/listing/describe.server.ts";
import { readSender } from "../../mail/layout.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { findMail } from "../../mail/stored-mails.server.ts";
import { newsletterFile, weekdays } from "../files.server.ts";
import { newsletterIssues } from "../schema.server.ts";
import { listConfirmedAfter } from "../subscribers/list.server.ts";
import { formatIssue, type IssueSection } from "./format.server.ts";
import {
  findIssue,
  findUnfinishedIssue,
  type IssueRecord,
  queueIssueMails,
  storeIssue,
  unsubscribeBounced,
} from "./issue.server.ts";

type EarlierIssue = { id: string; createdAt: Date; lines: ReadonlySet<string> };

/**
 * Only this many earlier issues are read, so a correction of a text in an older issue is not sent.
 */
const maxEarlierIssues = 60;
const daysPerWeek = 7;
const maxCorrections = 10;

async function readEarlierIssues(db: Database, day: string): Promise<EarlierIssue[]> {
  const { id, createdAt, text } = newsletterIssues;
  const issues = await db
    .select({ id, createdAt, text })
    .from(newsletterIssues)
    .where(lt(id, day))
    .orderBy(desc(id))
    .limit(maxEarlierIssues);
  return issues.map(({ id, createdAt, text }) => ({
    id,
    createdAt,
    lines: new Set(text.split("\n").map((line) => line.trim())),
  }));
}

/**
 * Selects corrections of texts in an earlier issue that were made after that issue and are not in
 * any issue yet.
 */
const selectCorrections = (
  corrections: PublishedCorrection[],
  earlierIssues: EarlierIssue[],
  origin: string,
): IssueItem[] =>
  corrections
    .map((correction) => ({ correction, item: toItem(correction, origin) }))
    .filter(
      ({ correction, item }) =>
        earlierIssues.some(
          (issue) => issue.lines.has(item.link) && isAfterIssue(correction, issue),
        ) && !earlierIssues.some(({ lines }) => lines.has(item.line)),
    )
    .map(({ item }) => item)
    .slice(0, maxCorrections);

const correctionPrefix = "Correction, ";
export const isCorrection = (line: string) => line.startsWith(correctionPrefix);

const toItem = ({ title, path, date, text }: PublishedCorrection, origin: string): IssueItem => ({
  title,
  link: `${origin}${path}`,
  // One line, because later issues compare lines to recognize it.
  line: `${correctionPrefix}${date.text}: ${text}`.replaceAll(/\s+/g, " ").trim(),
});

/** A correction without a time may have been made at any time of its day. */
const isAfterIssue = ({ at, date }: PublishedCorrection, { id, createdAt }: EarlierIssue) =>
  date.iso.length === id.length ? date.iso >= id : at > createdAt;

export type Contributors = Pick<Feature, "newsletter">[];

const sectionOrder = ["stories", "tonight", "headlines", "posts", "events"] as const;

/**
 * Composes the issue of a day from the current content of the site. Returns null if there is
 * nothing but samples or corrections. Corrections wait for the next issue.
 */
export async function composeIssue(features: Contributors, services: Services, day: string) {
  const { site, db, clock } = services;
  const { issue } = site.read(newsletterFile);
  const { origin, timeZone } = site.read(siteSettingsFile);
  const contributions = features.flatMap(({ newsletter }) => newsletter ?? []);
  const earlierIssues = await readEarlierIssues(db, day);
  const [previous] = earlierIssues;
  const issueContext: IssueContext = {
    day,
    // The whole day of the previous issue counts, because a story of that day that has no time may
    // have been saved after the issue was sent.
    since: previous ? instantAt(previous.id, "00:00", timeZone) : daysBefore(clock(), daysPerWeek),
    wasSent: (link) => earlierIssues.some(({ lines }) => lines.has(link)),
  };
  const gathered = await Promise.all(
    contributions.map(async ({ section, gather, more }) => {
      const items = await gather(services, issueContext);
      return items.map((item) => ({ item, more, key: item.isTonight ? "tonight" : section }));
    }),
  );
  const sections = sectionOrder.flatMap((key): IssueSection[] => {
    const ofSection = gathered.flat().filter((each) => each.key === key);
    const items = ofSection.slice(0, issue.counts[key]).map(({ item }) => item);
    const [first] = ofSection;
    if (!first) return [];
    const more = { label: first.more.label, link: origin + first.more.path };
    if (key !== "tonight") return [{ heading: issue.headings[key], items, more }];
    // The heading contains the date, because the email may be opened on another day.
    const date = dayHeading(instantAt(day, "12:00", timeZone), timeZone);
    return [{ heading: `${issue.headings.tonight}, ${date}`, items, more: null }];
  });
  if (sections.every(({ items }) => items.length === 0)) return null;
  const corrections = await Promise.all(
    contributions.map(({ corrections }) => corrections?.({ ...services, ...noPage }) ?? []),
  );
  const correctionsSection = {
    heading: issue.headings.corrections,
    items: selectCorrections(corrections.flat().sort(newestCorrectionFirst), earlierIssues, origin),
    more: { label: "All corrections", link: `${origin}/corrections` },
  };
  return formatIssue({
    day,
    subject: issue.subject,
    greeting: issue.greeting,
    ...readSender(site),
    sections: [...sections, correctionsSection],
  });
}

/** Returns null if there is nothing to send. */
export async function findOrCreateIssue(
  features: Contributors,
  services: Services,
  id: string,
  confirmedBy: Date,
): Promise<IssueRecord | null> {
  const { db, clock } = services;
  const existing = await findIssue(db, id);
  if (existing) return existing;
  const composed = await composeIssue(features, services, id);
  if (composed) await storeIssue(db, clock, { id, confirmedBy, ...composed });
  return findIssue(db, id);
}

const skippedKey = (id: string) => `issue-skipped:${id}`;

/**
 * Tells the newsroom, once, that the newsletter was not sent. No issue is stored for the day, so
 * the newsroom can send it manually later.
 */
async function reportSkippedIssue({ db, clock, site, log, mail }: Services, id: string) {
  await queueMail(db, clock, {
    key: skippedKey(id),
    to: site.read(contactFile).email,
    subject: "The newsletter was not sent",
    text: `The newsletter of ${id} was due, but it would have been empty: there are no
stories since the previous issue, no local headlines, no blog posts from the
last 7 days, and no events in the next 7 days except samples. Nothing was sent to subscribers.

When there is something to send, you can send the newsletter manually on the same day:

  ./newsroom newsletter preview
  ./newsroom newsletter send

Run "./newsroom doctor" to check whether headlines and calendars can be fetched.
`,
  });
  log.warn("newsletter.skipped", { issue: id });
  mail.wake();
}

/** Runs every minute. Continues an issue that was interrupted, or begins the issue that is due. */
export async function sendScheduledIssue(features: Contributors, services: Services) {
  const { db, clock, site, log, mail } = services;
  const { schedule } = site.read(newsletterFile).issue;
  const unsubscribed = await unsubscribeBounced(db);
  if (unsubscribed > 0) log.info("newsletter.bounced_unsubscribed", { readers: unsubscribed });
  const due = schedule
    ? findDueIssue(schedule, clock(), site.read(siteSettingsFile).timeZone)
    : null;
  // A skipped issue is not sent automatically, even if there is something to send an hour later:
  // the newsroom decides.
  const shouldStart =
    due !== null &&
    (await listConfirmedAfter(db, null, due.at)).length > 0 &&
    (await findMail(db, skippedKey(due.id))) === null;
  const unfinished = await findUnfinishedIssue(db);
  const issue =
    unfinished ??
    (shouldStart ? await findOrCreateIssue(features, services, due.id, due.at) : null);
  if (!issue && shouldStart) await reportSkippedIssue(services, due.id);
  if (!issue || issue.writtenAt) return;
  const readers = await queueIssueMails(db, clock, issue);
  log.info("newsletter.queued", { issue: issue.id, readers });
  mail.wake();
}

type Schedule = { weekday: string; time: string };

/**
 * An issue that is due but could not be sent for this long, for example because the server was
 * down, is not sent at all.
 */
const maxDelayMs = 12 * 3_600_000;

/**
 * Returns the issue that is due, or null if its time has not come yet or passed more than
 * `maxDelayMs` ago.
 */
export function findDueIssue({ weekday, time }: Schedule, now: Date, timeZone: string) {
  const today = calendarDay(now, timeZone);
  // Yesterday counts too: an issue that is due late in the evening may be sent after midnight.
  for (const id of [today, addDays(today, -1)]) {
    if (weekdays[new Date(id).getUTCDay()] !== weekday) continue;
    const at = instantAt(id, time, timeZone);
    if (at <= now && now.getTime() - at.getTime() < maxDelayMs) return { id, at };
  }
  return null;
}
