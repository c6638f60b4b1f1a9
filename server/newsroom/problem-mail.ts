import { hash } from "node:crypto";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { contactFile } from "../../app/features/brand/feature.server.ts";
import { queueMail } from "../../app/features/mail/feature.server.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import type { Services } from "../../app/platform/services.ts";
import { toProblemSentence } from "../../app/site-files/site-yaml.server.ts";
import { queryRows } from "../../db/backup/dump.ts";
import type { Database } from "../../db/database.ts";
import type { FileProblem } from "../site/check-file.ts";

/** The name of the job. The job queue stores what each run returns under it. */
export const problemsJob = "site-problems";

/** Problems that end sooner are not worth an email: an editor is still writing. */
const mailAfterMs = 60_000;

/**
 * What a run of the job has to know about earlier ones. The job queue stores it, so that all nodes
 * know it, also after a restart.
 */
const stateSchema = z.object({
  /** When each problem was first seen, in milliseconds. The keys are hashes. */
  since: z.record(z.string(), z.number()),
  /** The keys of the problems about which the newsroom has got an email. */
  reported: z.array(z.string()),
  /** Identifies the last email about problems; null if an email has said since that all is well. */
  lastMail: z.string().nullable(),
});
type State = z.infer<typeof stateSchema>;
const initialState: State = { since: {}, reported: [], lastMail: null };

async function readLastState(db: Database): Promise<State> {
  const [last] = await queryRows(
    db,
    sql`select output from pgboss.job where name = ${problemsJob} and state = 'completed'
        order by completed_on desc limit 1`,
    z.object({ output: stateSchema.catch(initialState) }),
  );
  return last?.output ?? initialState;
}

/**
 * Emails the newsroom about problems in the site files: once per problem, when it has lasted a
 * minute, and once more when there are none left. The key of an email depends only on what the last
 * run returned, so a run that is repeated after a crash sends no second email.
 */
export async function reportProblems({
  db,
  clock,
  site,
  mail,
  findProblems,
}: Pick<Services, "db" | "clock" | "site" | "mail"> & {
  findProblems(): Promise<FileProblem[]>;
}): Promise<State> {
  const now = clock().getTime();
  const last = await readLastState(db);
  const problems = (await findProblems()).map((problem) => ({ ...problem, key: toKey(problem) }));
  const keys = [...new Set(problems.map(({ key }) => key))];
  // A time in the future comes from a clock that was wrong.
  const findSince = (key: string) => Math.min(last.since[key] ?? now, now);
  const isKnown = (key: string) => last.reported.includes(key);
  const isDue = (key: string) => !isKnown(key) && now - findSince(key) >= mailAfterMs;
  const due = problems.filter(({ key }) => isDue(key));
  const send = async (key: string, composed: { subject: string; text: string }) => {
    await queueMail(db, clock, { key, to: site.read(contactFile).email, ...composed });
    mail.wake();
  };
  let { lastMail } = last;
  if (due.length > 0) {
    lastMail = toHash(due.map(({ key }) => [key, findSince(key)]));
    await send(`site-problems:${lastMail}`, composeProblemMail(due));
  } else if (problems.length === 0 && lastMail !== null) {
    await send(`site-valid:${lastMail}`, validMail);
    lastMail = null;
  }
  return {
    since: Object.fromEntries(keys.map((key) => [key, findSince(key)])),
    reported: keys.filter((key) => isKnown(key) || isDue(key)),
    lastMail,
  };
}

export const problemMetrics = (findProblems: () => Promise<FileProblem[]>): MetricGroup => ({
  name: "site files",
  read: async () => [
    gauge(
      "harborline_site_invalid_files",
      "Site files with a problem: the site cannot read them, or they name something that does not exist.",
      new Set((await findProblems()).map(({ file }) => file)).size,
    ),
  ],
});

/**
 * The key does not contain the line, because a change above a problem does not make it another
 * problem.
 */
const toKey = ({ file, field, message }: FileProblem) => toHash([file, field, message]);

const toHash = (value: unknown) => hash("sha256", JSON.stringify(value), "base64url").slice(0, 16);

function composeProblemMail(problems: FileProblem[]): { subject: string; text: string } {
  const byFile = [...Map.groupBy(problems, ({ file }) => file)];
  const [[first = ""] = [], ...others] = byFile;
  return {
    subject:
      others.length === 0
        ? `${first} has a mistake`
        : `${first} and ${formatCount(others.length, "other file")} have mistakes`,
    text: [
      ...byFile.flatMap(([file, ofFile]) => [
        file,
        ...ofFile.map((problem) => `  ${toProblemSentence(problem)}`),
        "",
      ]),
      "Please correct this and save. Until then, readers see the last valid version of a file that the site cannot read (a new one is not on the site), and broken links and unknown names as they are. To check all files, run:",
      "",
      "  ./newsroom validate",
      "",
      "You will get one more email when everything is corrected.",
      "",
    ].join("\n"),
  };
}

const validMail = {
  subject: "The mistakes in the site's files are corrected",
  text: "The mistakes that the last email named are corrected.\n",
};
