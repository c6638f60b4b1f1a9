import { desc, lt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { PublishedCorrection } from "../../../lib/article-dates.ts";
import { daysBefore, instantAt } from "../../../lib/dates.ts";
import type { IssueContext, IssueItem } from "../../../platform/newsletter.ts";
import { newsletterIssues } from "../schema.server.ts";

type EarlierIssue = { id: string; createdAt: Date; lines: ReadonlySet<string> };

/** A correction of a text in an older issue than these is no longer sent. */
const maxEarlierIssues = 60;
const daysPerWeek = 7;
const maxCorrections = 10;

export async function readEarlierIssues(db: Database, day: string): Promise<EarlierIssue[]> {
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

export function toIssueContext(
  earlierIssues: EarlierIssue[],
  day: string,
  now: Date,
  timeZone: string,
): IssueContext {
  const [previous] = earlierIssues;
  return {
    day,
    // The whole day of the previous issue counts, because a story of that day that has no time may
    // have been saved after the issue was sent.
    since: previous ? instantAt(previous.id, "00:00", timeZone) : daysBefore(now, daysPerWeek),
    wasSent: (link) => earlierIssues.some(({ lines }) => lines.has(link)),
  };
}

/** Corrections of texts in an earlier issue, made after that issue and not sent yet. */
export const selectCorrections = (
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
  // One line, so that later issues recognize it.
  line: `${correctionPrefix}${date.text}: ${text}`.replaceAll(/\s+/g, " ").trim(),
});

/** A correction without a time may have been made at any time of its day. */
const isAfterIssue = ({ at, date }: PublishedCorrection, { id, createdAt }: EarlierIssue) =>
  date.iso.length === id.length ? date.iso >= id : at > createdAt;
