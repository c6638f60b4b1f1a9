import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { calendarDay } from "../../../lib/dates.ts";
import { fileErrorMessage } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import type { Services } from "../../../platform/services.ts";
import { brandFile } from "../../brand/files.server.ts";
import { emailField } from "../../forms/receive.server.ts";
import { findMail } from "../../mail/list.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { unsubscribePath } from "../model.ts";
import { countSubscribers } from "../subscribers/list.server.ts";
import { bouncesInARow, unsubscribeBounced } from "./bounces.server.ts";
import { type Issue, withUnsubscribeLink } from "./format.server.ts";
import {
  countIssueMails,
  findIssue,
  type IssueRecord,
  listUndelivered,
  writeMails,
} from "./issue.server.ts";
import { type Contributors, composeIssue, findOrCreateIssue } from "./send.server.ts";

/** Issues are made of what these features contribute. */
type IssueServices = Services & { contributors: Contributors };

export const createNewsletterCommand = (contributors: () => Contributors): Command => ({
  name: "digest",
  group: "Newsletter",
  summary:
    "Shows the newsletter as it would be today, sends it to all readers, or to one as a test.",
  examples: [
    "digest preview",
    "digest preview ~/Desktop",
    "digest send --test you@example.com",
    "digest send",
    "digest send --yes",
  ],
  verbs: {
    preview: verb({
      summary: "Prints today's newsletter, and writes it as .html and .txt.",
      arguments: { folder: { description: "where the files are written, instead of here" } },
      async run({ folder = "." }, _options, context) {
        const services = { ...(await context.services()), contributors: contributors() };
        return preview(context, services, today(services), folder);
      },
    }),
    send: verb({
      summary:
        "Says to how many readers it goes, asks, and sends it. After a crash it goes on where it stopped.",
      options: {
        yes: { type: "flag", description: "sends without asking, for scripts" },
        test: {
          type: "string",
          value: "address",
          description: "sends it to this address and to nobody else",
        },
      },
      async run(_args, { yes, test }, context) {
        if (yes && test !== undefined) {
          context.print('"digest send" takes --yes or --test, not both.');
          return 2;
        }
        const services = { ...(await context.services()), contributors: contributors() };
        const day = today(services);
        return test === undefined
          ? send(context, services, day, yes)
          : sendTest(context, services, day, test);
      },
    }),
  },
});

const today = ({ clock, site }: Services) => calendarDay(clock(), site.read(brandFile).timeZone);

/**
 * A letter for a look has no reader of its own, so its way out leads to the page that explains it.
 */
async function composePreview(services: IssueServices, day: string): Promise<Issue | null> {
  const issue = await composeIssue(services.contributors, services, day);
  return (
    issue && withUnsubscribeLink(issue, services.site.read(brandFile).origin + unsubscribePath)
  );
}

/** Says that there is no letter today. */
function printEmpty(context: CommandContext, day: string): number {
  context.print(
    "There is nothing to put into the newsletter today: no local headline, no new blog post and no event that is more than a sample.",
  );
  context.result({ issue: day, all: 0, isEmpty: true });
  return 1;
}

async function preview(
  context: CommandContext,
  services: IssueServices,
  day: string,
  folder: string,
): Promise<number> {
  const issue = await composePreview(services, day);
  if (!issue) return printEmpty(context, day);
  const { subject, text, html } = issue;
  const path = resolve(context.cwd, folder, `digest-${day}`);
  const files = { html: `${path}.html`, text: `${path}.txt` };
  try {
    await writeFile(files.html, html);
    await writeFile(files.text, text);
  } catch (error) {
    context.print(
      `✗ ${fileErrorMessage(error, { path: files.html, action: "write", isServing: context.isServing })}`,
    );
    return 1;
  }
  context.print(`Subject: ${subject}\n\n${text}\n`);
  const { confirmed } = await countSubscribers(services.db);
  context.print(
    `Written to ${files.html} and .txt. "digest send" would send it to ${formatReaders(confirmed)}.`,
  );
  context.result({ issue: day, subject, readers: confirmed, files });
  return 0;
}

const formatReaders = (count: number) => formatCount(count, "reader");

async function sendTest(
  context: CommandContext,
  services: IssueServices,
  day: string,
  typed: string,
): Promise<number> {
  const address = emailField.safeParse(typed);
  if (!address.success) {
    context.print(`"${typed}" is not an e-mail address. Say: digest send --test you@example.com`);
    return 2;
  }
  const { db, clock, mail } = services;
  const issue = await composePreview(services, day);
  if (!issue) return printEmpty(context, day);
  const { subject, text, html } = issue;
  const key = `digest-test:${randomUUID()}`;
  await queueMail(db, clock, { key, to: address.data, subject: `Test: ${subject}`, text, html });
  await mail.sendDue();
  const sent = await findMail(db, key);
  const state = sent?.state ?? "deleted";
  context.print(
    state === "sent"
      ? `The letter is sent to ${address.data}, and to nobody else.${outboxNote(services)}`
      : `The letter to ${address.data} is not sent but ${state}${sent?.fault ? `: ${sent.fault}` : "."} "mail list" shows it.`,
  );
  context.result({ issue: day, test: address.data, state, fault: sent?.fault ?? null });
  return state === "sent" ? 0 : 1;
}

const outboxNote = ({ mail }: Services) =>
  mail.kind === "files"
    ? " No mail server is named (SMTP_URL), so it is a file in the outbox folder."
    : "";

/**
 * Sends today's letter, or goes on with it where it was stopped. Never a second one to the same
 * reader.
 */
async function send(
  context: CommandContext,
  services: IssueServices,
  day: string,
  isConfirmed: boolean,
): Promise<number> {
  const { db, clock } = services;
  const begun = await findIssue(db, day);
  const { confirmed } = await countSubscribers(db);
  if (!begun && confirmed === 0) {
    context.print("Nobody has confirmed an address yet, so there is nobody to send the letter to.");
    context.result({ issue: day, all: 0 });
    return 1;
  }
  const before = await countIssueMails(db, day);
  if (begun?.writtenAt && before.waiting === 0) {
    context.print(
      `The letter of ${day} has gone out to ${formatReaders(begun.readers)}. The next one can be sent tomorrow.`,
    );
    const problems = await printUndelivered(
      context,
      services,
      day,
      before.refused + before.unclear,
    );
    context.result({ issue: day, ...before, problems });
    return 1;
  }
  const next = begun ?? (await composeIssue(services.contributors, services, day));
  if (!next) return printEmpty(context, day);
  if (begun) context.print(`The letter of ${day} was begun before; it goes on from there.`);
  const readers = begun?.writtenAt
    ? before.waiting
    : Math.max(0, confirmed - before.all + before.waiting);
  context.print(
    `"${next.subject}" goes to ${formatReaders(readers)}.${sampleOriginWarning(services)}`,
  );
  if (!isConfirmed && !(await askToConfirm(context))) {
    context.result({ issue: day, readers, isSent: false });
    return context.confirm ? 1 : 2;
  }
  const issue = begun ?? (await findOrCreateIssue(services.contributors, services, day, clock()));
  if (!issue) return printEmpty(context, day);
  if (!issue.writtenAt)
    await writeMails(db, clock, issue, (written) =>
      context.progress(written, Math.max(confirmed, written), "written down"),
    );
  return deliver(context, services, issue);
}

/** Asks the person who typed the command, and prints that nothing was sent unless they confirm. */
async function askToConfirm(context: CommandContext): Promise<boolean> {
  const isYes = (await context.confirm?.("Send it now?")) ?? false;
  if (!isYes)
    context.print(
      context.confirm
        ? "Nothing was sent."
        : 'Nothing was sent, because nobody can confirm it here. A script says "digest send --yes".',
    );
  return isYes;
}

/** Links to a sample address lead nowhere, the one to unsubscribe included. */
function sampleOriginWarning({ site }: Services): string {
  const { origin } = site.read(brandFile);
  return new URL(origin).hostname.endsWith(".example")
    ? `\n! Its links lead to ${origin}, which is a sample. Set the address of the site in site.yaml first.`
    : "";
}

/** Printed one by one; "mail list" has them all. */
const maxNamed = 20;

/** Names those who did not get the letter, with the reason of the mail server. */
async function printUndelivered(
  context: CommandContext,
  { db }: Services,
  issue: string,
  all: number,
) {
  const problems = await listUndelivered(db, issue, maxNamed);
  for (const { recipient, state, fault } of problems)
    context.print(`  ${recipient}: ${state}: ${fault ?? ""}`);
  if (problems.length < all)
    context.print(`  … and ${all - problems.length} more: "mail list" shows them.`);
  return problems;
}

const progressIntervalMs = 1_000;

/** Shows how far it has come until all that can be sent now is sent. */
async function deliver(
  context: CommandContext,
  services: IssueServices,
  { id }: IssueRecord,
): Promise<number> {
  const { db, mail } = services;
  const done = new AbortController();
  const sweeping = mail.sendDue().finally(() => done.abort());
  // Its failure is told below, when it is waited for.
  sweeping.catch(() => {});
  let shown = -1;
  while (!done.signal.aborted) {
    await pause(progressIntervalMs, undefined, { signal: done.signal }).catch(() => {});
    const { sent, all } = await countIssueMails(db, id);
    if (sent !== shown) context.progress(sent, all, "sent");
    shown = sent;
  }
  await sweeping;
  const progress = await countIssueMails(db, id);
  const { all, sent, refused, unclear, waiting } = progress;
  context.print(
    `${sent} of ${all} sent, ${waiting} waiting, ${refused} refused, ${unclear} unclear.${outboxNote(services)}`,
  );
  if (waiting > 0)
    context.print("Those that wait are tried again by themselves while the server is running.");
  const problems = await printUndelivered(context, services, id, refused + unclear);
  const unsubscribed = await unsubscribeBounced(db);
  if (unsubscribed > 0)
    context.print(
      `${formatReaders(unsubscribed)} unsubscribed, because the last ${bouncesInARow} newsletters to them bounced.`,
    );
  context.result({ issue: id, ...progress, problems, unsubscribed });
  return waiting + refused + unclear > 0 ? 1 : 0;
}
