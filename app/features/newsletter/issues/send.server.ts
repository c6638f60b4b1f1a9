import type { Feature } from "../../../platform/feature.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { brandFile } from "../../brand/files.server.ts";
import { findMail } from "../../mail/list.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { newsletterFile } from "../files.server.ts";
import { listConfirmedAfter } from "../subscribers/list.server.ts";
import { unsubscribeBounced } from "./bounces.server.ts";
import { formatIssue, type Issue } from "./format.server.ts";
import {
  findIssue,
  findUnfinishedIssue,
  type IssueRecord,
  storeIssue,
  writeMails,
} from "./issue.server.ts";
import { findDueIssue } from "./schedule.ts";

/** Features that have something to put into an issue. */
export type Contributors = Pick<Feature, "newsletter">[];

const sectionOrder = ["headlines", "posts", "events"] as const;

/**
 * The issue of a day, made of what the site has at this moment; null if it has nothing but samples.
 */
export async function composeIssue(
  features: Contributors,
  services: Services,
  day: string,
): Promise<Issue | null> {
  const { site } = services;
  const { heading, digest } = site.read(newsletterFile);
  const { origin, name } = site.read(brandFile);
  const { address } = site.read(contactFile);
  const contents = sectionOrder.flatMap((section) =>
    features.flatMap(({ newsletter }) => (newsletter?.section === section ? [newsletter] : [])),
  );
  const sections = await Promise.all(
    contents.map(async ({ section, gather, more: { label, path } }) => ({
      heading: digest.headings[section],
      items: (await gather(services, day)).slice(0, digest.counts[section]),
      more: { label, link: `${origin}${path}` },
    })),
  );
  return formatIssue({
    day,
    subject: digest.subject,
    greeting: digest.greeting,
    heading,
    sections,
    imprint: { name, ...address, privacy: `${origin}/privacy` },
  });
}

/**
 * Begins the letter of a day, unless it is begun, and says how it stands; null when there is
 * nothing to send.
 */
export async function findOrCreateIssue(
  features: Contributors,
  services: Services,
  id: string,
  confirmedBy: Date,
): Promise<IssueRecord | null> {
  const { db, clock } = services;
  const begun = await findIssue(db, id);
  if (begun) return begun;
  const written = await composeIssue(features, services, id);
  if (!written) return null;
  await storeIssue(db, clock, { id, confirmedBy, ...written });
  const issue = await findIssue(db, id);
  if (!issue) throw new Error(`The letter of ${id} was removed while it was written.`);
  return issue;
}

const skippedKey = (id: string) => `digest-skipped:${id}`;

/**
 * Tells the newsroom, once, that no letter goes out. Nothing is stored under its day, so it can be
 * sent by hand later.
 */
async function reportSkippedIssue(
  { db, clock, site, log, mail }: Services,
  id: string,
): Promise<void> {
  await queueMail(db, clock, {
    key: skippedKey(id),
    to: site.read(contactFile).email,
    subject: "The newsletter was not sent",
    text: `The newsletter of ${id} was due, but there is nothing to put into it: no local headline, no blog
post of the last 7 days and no event of the next 7 days that is more than a sample.
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
export async function sendScheduledIssue(
  features: Contributors,
  services: Services,
): Promise<void> {
  const { db, clock, site, log, mail } = services;
  const { schedule } = site.read(newsletterFile).digest;
  const unsubscribed = await unsubscribeBounced(db);
  if (unsubscribed > 0) log.info("newsletter.bounced_unsubscribed", { readers: unsubscribed });
  const due = schedule ? findDueIssue(schedule, clock(), site.read(brandFile).timeZone) : null;
  // One that was skipped stays so, even if there is something to send an hour later: the newsroom
  // decides then.
  const isNew =
    due !== null &&
    (await listConfirmedAfter(db, null, due.at)).length > 0 &&
    (await findMail(db, skippedKey(due.id))) === null;
  const unfinished = await findUnfinishedIssue(db);
  const issue =
    unfinished ?? (isNew ? await findOrCreateIssue(features, services, due.id, due.at) : null);
  if (!issue && isNew) await reportSkippedIssue(services, due.id);
  if (!issue || issue.writtenAt) return;
  const readers = await writeMails(db, clock, issue);
  log.info("digest.written", { issue: issue.id, readers });
  mail.wake();
}
