import { asc } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { formatMetrics } from "../../app/lib/metrics.ts";
import { problemMetrics, problemsJob, reportProblems } from "../../server/newsroom/problem-mail.ts";
import { startJobs } from "../../server/process/jobs.ts";
import type { FileProblem } from "../../server/site/check-file.ts";
import { readSite } from "../../server/site/site-files.ts";
import { openTestDatabase } from "../support/database.ts";
import { runInThisThread } from "../support/worker-pool.ts";

const date = { file: "news/fire.md", line: 4, field: "date", message: "must be a day" };
const title = { file: "about.yaml", line: 3, field: "title", message: "is missing" };
const link = { file: "home.yaml", line: 0, field: "", message: "the link /nope leads nowhere" };

it("the newsroom gets one email about problems that last a minute, and one when there are none left", async () => {
  const database = await openTestDatabase();
  onTestFinished(database.close);
  const [wasWoken, unused] = [() => {}, () => expect.unreachable()];
  const services = {
    site: await readSite("sites/baltimore", [contactFile]),
    db: database.db,
    log: createLog({ write() {} }),
    fetch: createSafeFetch(),
    runInWorker: runInThisThread,
    tally: { count() {}, flush: async () => {} },
    leadsToPage: async () => false,
    mail: {
      kind: "files" as const,
      wake: wasWoken,
      sendDue: unused,
      deleteOld: unused,
      deleteFiles: unused,
    },
    clock: unused,
  };
  const job = { name: problemsJob, cron: "0 0 29 2 *", run: unused };
  await (await startJobs(database, [job], services))();

  const emailed: { subject: string; text: string }[] = [];
  /** Runs the job at this time of day. The queue stores what it returns, unless it crashes. */
  const run = async (time: string, problems: FileProblem[], { crashes = false } = {}) => {
    const now = new Date(`2026-11-15T${time}Z`);
    const output = await reportProblems({
      ...services,
      clock: () => now,
      findProblems: async () => problems,
    });
    if (!crashes)
      await database.executeSql(
        "insert into pgboss.job (id, name, data, state, completed_on, output) values (gen_random_uuid(), $1, '{}', 'completed', $2, $3)",
        [problemsJob, now, JSON.stringify(output)],
      );
    const all = await database.db.select().from(mails).orderBy(asc(mails.createdAt));
    const newMails = all.slice(emailed.length);
    emailed.push(...newMails);
    return newMails.map(({ subject }) => subject);
  };

  expect(await run("12:00:00", [date])).toEqual([]);
  expect(await run("12:00:30", [date, title, link])).toEqual([]);
  expect(await run("12:01:00", [date, title, link])).toEqual(["news/fire.md has a mistake"]);
  // The line has changed, but the problem is the same.
  const known = [{ ...date, line: 9 }, title, link];
  expect(await run("12:02:00", known, { crashes: true })).toEqual([
    "about.yaml and 1 other file have mistakes",
  ]);
  expect(await run("12:03:00", known)).toEqual([]);
  expect(await run("12:04:00", [link])).toEqual([]);
  expect(await run("12:05:00", [])).toEqual(["The mistakes in the site's files are corrected"]);
  expect(await run("12:06:00", [])).toEqual([]);
  // A problem that comes back is a new one. One that is gone within a minute is not worth an email.
  expect(await run("12:07:00", [title, link])).toEqual([]);
  expect(await run("12:08:00", [title])).toEqual(["about.yaml has a mistake"]);

  expect(emailed[0]).toMatchObject({ recipient: "hello@baltimore.harborline.example" });
  expect(emailed[0]?.text).toMatch(/^news\/fire\.md\n {2}Line 4: date must be a day\.\n\nPlease/);
  expect(emailed[1]?.text).toMatch(
    /^about\.yaml\n {2}Line 3: title is missing\.\n\nhome\.yaml\n {2}The link \/nope leads nowhere\./,
  );
});

it("a metric counts the files with problems, also with a link that leads nowhere", async () => {
  const problems = [date, { ...date, field: "title" }, link];
  expect(formatMetrics(await problemMetrics(async () => problems).read())).toContain(
    "\nharborline_site_invalid_files 2\n",
  );
});
