import { join } from "node:path";
import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { formatCount, formatSender, shortenId } from "../../../lib/newsroom/printing.ts";
import {
  type Candidates,
  formatCandidate,
  listAllOption,
  minIdLength,
  oneOrMany,
  pickAll,
  shortIdHint,
} from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import type { SiteSource } from "../../../site-files/site-file.server.ts";
import { printList, readCommandSite } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { summarize } from "../../contact/messages.server.ts";
import { eventsFolder } from "../../events/files.server.ts";
import { shortEventId } from "../../events/submissions.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { kindLabels } from "../model.ts";
import { itemPath } from "../published/model.ts";
import type { DeskServices } from "../services.ts";
import { findSubmissions, listSubmissions, type Submission } from "../waiting/list.server.ts";
import { findPagePath, type SubmissionKind } from "../waiting/model.ts";
import { listFacts } from "../waiting/view.server.ts";
import { decideAndReport, reasonOption, refuseEmptyReason } from "./decide-by-command.server.ts";

// What the commands "stories", "events" and "messages" have in common.

/** What commands about submissions use: in a running server, the last good versions of the files. */
export const openSubmissions = async (
  context: CommandContext,
  files: SiteSource[] = [],
): Promise<DeskServices> => ({
  db: await context.database(),
  clock: context.clock,
  site: await readCommandSite(context, files),
});

/** Such as "story" and "stories". The second is also the name of the command. */
const nounsOf = (kind: SubmissionKind) => ({
  noun: kindLabels[kind].one.toLowerCase(),
  nouns: kindLabels[kind].many.toLowerCase(),
});

const shorten = { story: shortenId, event: shortEventId, message: shortenId };

export const idArgument = (kind: SubmissionKind) =>
  ({
    repeated: true,
    description: `at least ${minIdLength} characters of the id that "${nounsOf(kind).nouns} list --all" shows${{ story: ", or the slug of the story, as in /news/<slug>", event: ", or the last part of its URL, /events/<id>", message: "" }[kind]}`,
  }) as const;

const toTitle = ({ title, name, text, topic }: Submission): string =>
  toSafeLine(title) || `${name ? `${toSafeLine(name)}: ` : ""}${summarize(text, topic)}`;

/** Where an editor changes what is not a submission. */
async function explainMissing(context: CommandContext, kind: SubmissionKind, typed: string) {
  if (kind === "message") return null;
  const folder = kind === "story" ? newsFolder : eventsFolder;
  const site = await context.readSite([folder]);
  if (site.names(folder).includes(typed))
    return `✗ "${typed}" is the file ${join(context.siteFolder, folder.folder, `${typed}.md`)}. Edit it or remove it, or take it down at the desk: ${itemPath(kind, typed)}.`;
  return kind === "event"
    ? `✗ Readers have sent no event "${typed}". ${shortIdHint(typed)}Run "./newsroom events list --all" to see them all. Events of other calendars are changed there.`
    : null;
}

export const candidatesOf = (
  context: CommandContext,
  db: Database,
  kind: SubmissionKind,
): Candidates<Submission> => ({
  noun: nounsOf(kind).noun,
  listCommand: `${nounsOf(kind).nouns} list --all`,
  label: (item) => `${toTitle(item).slice(0, 60)} (${item.state})`,
  shorten: shorten[kind],
  find: (typed) => findSubmissions(db, kind, typed),
  explainMissing: (typed) => explainMissing(context, kind, typed),
});

const toJson = ({ title, name, text, images, event, ...item }: Submission) => ({
  kind: item.kind,
  id: item.id,
  state: item.state,
  writtenBy: item.writtenBy,
  title: toSafeLine(title),
  text: stripControlCharacters(text),
  category: item.category,
  name: toSafeLine(name),
  email: item.email,
  slug: item.slug,
  topic: item.topic,
  images: images.length,
  event: event && {
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    location: event.location,
    free: event.free,
    url: event.url,
  },
  createdAt: item.createdAt,
  decidedAt: item.decidedAt,
});

type Columns = Record<string, (item: Submission) => string | number | Date | null>;

const title = (item: Submission) => item.title.slice(0, 50);
const columnsOf: Record<SubmissionKind, Columns> = {
  story: {
    title,
    words: ({ text }) => text.split(/\s+/).length,
    images: ({ images }) => images.length,
  },
  event: {
    title,
    when: ({ event }) => event?.startsAt ?? null,
    where: ({ event }) => event?.location ?? null,
  },
  message: {
    about: ({ category }) => category,
    from: ({ name, email }) => (name || email || "–").slice(0, 24),
    message: ({ text, topic }) => summarize(text, topic).slice(0, 50),
  },
};

const decidedColumns: Columns = {
  by: ({ writtenBy }) => writtenBy,
  state: ({ state }) => state,
  page: (item) => findPagePath(item) ?? "",
};

/** Lists what waits, and with --all everything and `more`, such as imported events. */
export const listVerb = (
  kind: SubmissionKind,
  more?: (context: CommandContext, services: DeskServices) => Promise<object[]>,
) => {
  const { nouns } = nounsOf(kind);
  return verb({
    summary: `List the ${nouns} that are waiting for a decision.`,
    options: listAllOption(
      `include ${nouns} that somebody has decided about${more ? ", and imported ones" : ""}`,
    ),
    async run(context, { all }) {
      const services = await openSubmissions(context);
      const items = await listSubmissions(
        services.db,
        kind,
        all ? ["waiting", "approved", "done", "rejected", "down", "draft"] : ["waiting"],
      );
      const columns: Columns = {
        id: ({ id }) => shorten[kind](id),
        received: ({ createdAt }) => createdAt,
        ...columnsOf[kind],
        ...(all && decidedColumns),
      };
      const empty = all ? `There are no ${nouns} in the database.` : `No ${nouns} are waiting.`;
      await printList(context, items, columns, empty);
      const others = all ? ((await more?.(context, services)) ?? []) : [];
      context.result([...items.map(toJson), ...others]);
    },
  });
};

function printSubmission(context: CommandContext, item: Submission, timeZone: string): void {
  const facts = [
    ...(item.title ? [{ label: "Title", value: toSafeLine(item.title) }] : []),
    { label: "Received", value: shortTimestamp(item.createdAt, timeZone) },
    { label: "From", value: formatSender(item) || "(no name or email address)" },
    ...(item.kind === "event" ? [] : [{ label: "Category", value: item.category || "–" }]),
    ...listFacts(item, timeZone),
  ];
  context.print(`${shorten[item.kind](item.id)}  (${item.state})`);
  for (const { label, value } of facts)
    context.print(`${`${label.toLowerCase()}:`.padEnd(11)}${toSafeLine(value)}`);
  context.print("");
  for (const line of stripControlCharacters(item.text).split("\n")) context.print(`  ${line}`);
}

/** Prints submissions, each followed by what `more` prints and returns, such as saved images. */
export async function showSubmissions(
  context: CommandContext,
  kind: SubmissionKind,
  typed: string[],
  more: (item: Submission) => Promise<object> = async () => ({}),
): Promise<undefined> {
  const { db, site } = await openSubmissions(context);
  const results: object[] = [];
  for (const item of await pickAll(typed, candidatesOf(context, db, kind))) {
    if (results.length > 0) context.print("");
    printSubmission(context, item, site.read(siteSettingsFile).timeZone);
    results.push({ ...toJson(item), ...(await more(item)) });
  }
  context.result(oneOrMany(results));
}

export const showVerb = (kind: SubmissionKind) =>
  verb({
    summary: `Print ${nounsOf(kind).nouns}.`,
    arguments: { id: { ...idArgument(kind), required: true } },
    run: (context, { id }) => showSubmissions(context, kind, id),
  });

/** The options of a verb that decides about several submissions. */
export const selectionOptions = {
  all: { type: "flag", description: "all that are waiting, instead of ids; asks first" },
  yes: { type: "flag", description: "with --all: do not ask, for scripts" },
} as const;

const effects = {
  approve: (count: string) => `publish ${count}`,
  done: (count: string) => `mark ${count} as done`,
  reject: (count: string) => `reject ${count}`,
};

/**
 * Finds the submissions that an editor chose by their ids or with --all. If one of the ids is not
 * found, the command ends. Returns nothing if there is nothing to do.
 */
export async function selectItems(
  context: CommandContext,
  db: Database,
  kind: SubmissionKind,
  action: keyof typeof effects,
  { id: typed, all, yes }: { id: string[]; all: boolean; yes: boolean },
): Promise<Submission[]> {
  const { noun, nouns } = nounsOf(kind);
  const name = `${nouns} ${action}`;
  const candidates = candidatesOf(context, db, kind);
  if (!all && typed.length === 0) refuseCommand(`"${name}" needs <id>: one or more ids, or --all.`);
  if (all && typed.length > 0)
    refuseCommand(`"${name}" takes ids or --all, not both. Remove "${typed[0]}" or --all.`);
  if (!all) return pickAll(typed, candidates, "Nothing was changed.");
  const items = await listSubmissions(db, kind, ["waiting"]);
  if (items.length === 0) {
    context.print(`No ${nouns} are waiting.`);
    return [];
  }
  context.print(`This would ${effects[action](formatCount(items.length, noun, nouns))}:`);
  for (const item of items) context.print(formatCandidate(item, candidates));
  if (yes || (await context.confirm?.("Do it now?"))) return items;
  if (context.confirm) fail("✗ Nothing was changed.");
  refuseCommand("Nothing was changed, because nobody can confirm it here. In a script, add --yes.");
}

/** Approves submissions, or marks messages as done. */
export const acceptVerb = (kind: SubmissionKind, action: "approve" | "done", summary: string) =>
  verb({
    summary,
    arguments: { id: idArgument(kind) },
    options: selectionOptions,
    async run(context, selection) {
      const services = await openSubmissions(context);
      const items = await selectItems(context, services.db, kind, action, selection);
      await decideAndReport(context, services, items, { action: "accept" });
    },
  });

export const rejectVerb = (kind: SubmissionKind, summary: string) =>
  verb({
    summary,
    arguments: { id: idArgument(kind) },
    options: { reason: reasonOption, ...selectionOptions },
    async run(context, { reason, ...selection }) {
      refuseEmptyReason(reason);
      const services = await openSubmissions(context);
      const items = await selectItems(context, services.db, kind, "reject", selection);
      await decideAndReport(context, services, items, { action: "reject", reason });
    },
  });
