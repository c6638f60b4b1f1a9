import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { calendarDay } from "../../../lib/dates.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { tryFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { emailField } from "../../forms/receive.server.ts";
import { greetingAt } from "../../mail/layout.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { findMail } from "../../mail/stored-mails.server.ts";
import { unsubscribePath } from "../model.ts";
import { countSubscribers } from "../subscribers/list.server.ts";
import { addressIssue, type Issue } from "./format.server.ts";
import { countIssueMails, findIssue, type IssueRecord, queueIssueMails } from "./issue.server.ts";
import { type Contributors, composeIssue, findOrCreateIssue } from "./send.server.ts";

/** `day` is today in the city. */
type NewsletterServices = Services & { contributors: Contributors; day: string };

export const createNewsletterCommand = (contributors: () => Contributors): Command => {
  const openServices = async (context: CommandContext): Promise<NewsletterServices> => {
    const services = await context.services();
    const { timeZone } = services.site.read(siteSettingsFile);
    const day = calendarDay(services.clock(), timeZone);
    return { ...services, day, contributors: contributors() };
  };
  return {
    name: "newsletter",
    group: "Newsletter",
    summary:
      "Preview today's newsletter, send it to all subscribers, or send it to one address as a test.",
    examples: [
      "newsletter preview",
      "newsletter preview ~/Desktop",
      "newsletter send --test you@example.com",
      "newsletter send",
      "newsletter send --yes",
    ],
    verbs: {
      preview: verb({
        summary: "Print today's newsletter, and write it to an .html and a .txt file.",
        arguments: {
          folder: { description: "the folder for the files; the current folder by default" },
        },
        run: async (context, { folder = "." }) =>
          preview(context, await openServices(context), folder),
      }),
      send: verb({
        summary:
          "Show the number of recipients, ask for confirmation, and send the newsletter. After a crash it continues where it stopped.",
        options: {
          yes: { type: "flag", description: "send without asking, for scripts" },
          test: {
            type: "string",
            value: "address",
            description: "send it to this email address only",
          },
        },
        async run(context, { yes, test }) {
          if (yes && test !== undefined)
            refuseCommand('"newsletter send" takes --yes or --test, not both.');
          const services = await openServices(context);
          return test === undefined
            ? send(context, services, yes)
            : sendTest(context, services, test);
        },
      }),
    },
  };
};

/**
 * A preview has no subscriber, so its unsubscribe link leads to the page that explains how to
 * unsubscribe.
 */
async function composePreview(
  context: CommandContext,
  services: NewsletterServices,
): Promise<Issue> {
  const { contributors, day, site, clock } = services;
  const issue = await composeIssue(contributors, services, day);
  if (!issue) failEmpty(context, services);
  const { origin, timeZone } = site.read(siteSettingsFile);
  return addressIssue(issue, {
    link: origin + unsubscribePath,
    greeting: greetingAt(clock(), timeZone),
  });
}

function failEmpty(context: CommandContext, { day }: NewsletterServices): never {
  context.result({ issue: day, all: 0, isEmpty: true });
  fail(
    "✗ Today's newsletter would be empty: there are no new stories, no local headlines, no new blog posts, and no events except samples.",
  );
}

async function preview(
  context: CommandContext,
  services: NewsletterServices,
  folder: string,
): Promise<undefined> {
  const { subject, text, html } = await composePreview(context, services);
  const path = resolve(context.cwd, folder, `newsletter-${services.day}`);
  const files = { html: `${path}.html`, text: `${path}.txt` };
  await tryFile(context, { path: files.html, action: "write" }, async () => {
    await writeFile(files.html, html);
    await writeFile(files.text, text);
  });
  context.print(`Subject: ${subject}\n\n${text}\n`);
  const { confirmed } = await countSubscribers(services.db);
  context.print(
    `Wrote ${files.html} and .txt. Run "./newsroom newsletter send" to send it to ${formatSubscribers(confirmed)}.`,
  );
  context.result({ issue: services.day, subject, readers: confirmed, files });
}

const formatSubscribers = (count: number) => formatCount(count, "subscriber");

async function sendTest(context: CommandContext, services: NewsletterServices, typed: string) {
  const address = emailField.safeParse(typed);
  if (!address.success)
    refuseCommand(
      `"${typed}" is not an email address. Type it as in: newsletter send --test you@example.com`,
    );
  const { db, clock, mail, day } = services;
  const { subject, text, html } = await composePreview(context, services);
  const key = `issue-test:${randomUUID()}`;
  await queueMail(db, clock, { key, to: address.data, subject: `Test: ${subject}`, text, html });
  await mail.sendDue();
  const sent = await findMail(db, key);
  const state = sent?.state ?? "deleted";
  context.print(
    state === "sent"
      ? `Sent the newsletter to ${address.data} only.${outboxNote(services)}`
      : `Could not send the newsletter to ${address.data}. The email is ${state}${sent?.error ? `: ${sent.error}` : "."} Run "./newsroom mail list" for details.`,
  );
  context.result({ issue: day, test: address.data, state, error: sent?.error ?? null });
  return state === "sent" ? 0 : 1;
}

const outboxNote = ({ mail }: Services) =>
  mail.kind === "files"
    ? " No mail server is configured (SMTP_URL), so the email is a file in the outbox folder."
    : "";

/**
 * Sends today's issue, or continues where sending was interrupted. Never sends the issue twice to
 * the same subscriber.
 */
async function send(
  context: CommandContext,
  services: NewsletterServices,
  mustSkipQuestion: boolean,
) {
  const { db, clock, day } = services;
  const existing = await findIssue(db, day);
  const { confirmed } = await countSubscribers(db);
  if (!existing && confirmed === 0) {
    context.result({ issue: day, all: 0 });
    fail("✗ There are no confirmed subscribers yet, so there is nobody to send the newsletter to.");
  }
  const counts = await countIssueMails(db, day);
  if (existing?.writtenAt && counts.waiting === 0) {
    context.print(
      `The newsletter of ${day} was already sent to ${formatSubscribers(existing.readers)}. You can send the next one tomorrow.`,
    );
    printUndelivered(context, counts);
    context.result({ issue: day, ...counts });
    return 1;
  }
  const currentIssue = existing ?? (await composeIssue(services.contributors, services, day));
  if (!currentIssue) failEmpty(context, services);
  if (existing)
    context.print(
      `Sending the newsletter of ${day} was interrupted. It continues where it stopped.`,
    );
  const remainingCount = existing?.writtenAt
    ? counts.waiting
    : Math.max(0, confirmed - counts.all + counts.waiting);
  context.print(
    `"${currentIssue.subject}" will be sent to ${formatSubscribers(remainingCount)}.${sampleOriginWarning(services)}`,
  );
  if (!mustSkipQuestion && !(await context.confirm?.("Send it now?"))) {
    context.result({ issue: day, readers: remainingCount, isSent: false });
    if (context.confirm) fail("✗ Nothing was sent.");
    refuseCommand(
      'Nothing was sent, because nobody can confirm it here. In a script, run "newsletter send --yes".',
    );
  }
  const issue =
    existing ?? (await findOrCreateIssue(services.contributors, services, day, clock()));
  if (!issue) failEmpty(context, services);
  if (!issue.writtenAt) await queueIssueMails(db, clock, issue);
  return deliver(context, services, issue);
}

/** Warns if the origin is a sample, because then no link works, not even the one to unsubscribe. */
function sampleOriginWarning({ site }: Services): string {
  const { origin } = site.read(siteSettingsFile);
  return new URL(origin).hostname.endsWith(".example")
    ? `\n! Its links lead to ${origin}, which is a sample. Set the site's URL in site.yaml first.`
    : "";
}

function printUndelivered(
  context: CommandContext,
  { refused, unclear }: { refused: number; unclear: number },
): void {
  if (refused + unclear > 0)
    context.print('Run "./newsroom mail list" to see the emails that did not arrive.');
}

const progressIntervalMs = 1_000;

async function deliver(context: CommandContext, services: NewsletterServices, { id }: IssueRecord) {
  const { db, mail } = services;
  const done = new AbortController();
  const sending = mail.sendDue().finally(() => done.abort());
  // An error is thrown below, where the result is awaited.
  sending.catch(() => {});
  let shown = -1;
  while (!done.signal.aborted) {
    await pause(progressIntervalMs, undefined, { signal: done.signal }).catch(() => {});
    const { sent, all } = await countIssueMails(db, id);
    if (sent !== shown) context.progress({ done: sent, all, what: "sent" });
    shown = sent;
  }
  await sending;
  const progress = await countIssueMails(db, id);
  const { all, sent, refused, unclear, waiting } = progress;
  context.print(
    `${sent} of ${all} sent, ${waiting} waiting, ${refused} refused, ${unclear} unclear.${outboxNote(services)}`,
  );
  if (waiting > 0) context.print("The server retries the waiting emails while it is running.");
  printUndelivered(context, progress);
  context.result({ issue: id, ...progress });
  return waiting + refused + unclear > 0 ? 1 : 0;
}
