import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { fileErrorReason, readTextFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, formatSender, shortenId } from "../../../lib/newsroom/printing.ts";
import {
  listAllOption,
  minIdLength,
  oneOrMany,
  pickAll,
  type SubmissionCandidates,
  selectionOptions,
  selectSubmissions,
} from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { readCommandSite, readTimeZone } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { exportVerb } from "../../stories/desk/export-verb.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { storyPath } from "../../stories/model.ts";
import { previewVerb } from "../../stories/preview/preview-verb.server.ts";
import {
  findStories,
  listStories,
  listStoryImages,
  readStoryImages,
  type StoryEdit,
} from "../../stories/readers/moderation.server.ts";
import { publishedListStates, type StoryRow } from "../../stories/schema.server.ts";
import { itemPath } from "../published/model.ts";
import { numberImages, readApproval } from "../waiting/approval.server.ts";
import {
  decideByCommand,
  reasonOption,
  refuseEmptyReason,
  reportDecision,
  wasDecided,
} from "./decide-by-command.server.ts";

const idArgument = {
  repeated: true,
  description: `at least ${minIdLength} characters of the id that "stories list --all" shows, or the slug of the story, as in /news/<slug>`,
} as const;

/** The stories that readers sent, and those of the desk. Those of files have another answer. */
const storyCandidates = (
  context: CommandContext,
  db: Database,
): SubmissionCandidates<StoryRow> => ({
  noun: "story",
  nouns: "stories",
  listCommand: "stories list --all",
  label: ({ title, state }: StoryRow) => `${toSafeLine(title).slice(0, 60)} (${state})`,
  shorten: shortenId,
  find: (typed: string) => findStories(db, typed),
  async explainMissing(typed: string) {
    const site = await context.readSite([newsFolder]);
    if (!site.names(newsFolder).includes(typed)) return null;
    const file = join(context.siteFolder, newsFolder.folder, `${typed}.md`);
    return `✗ "${typed}" is the file ${file}. Edit it, or take it down at the desk: ${itemPath("story", typed)}.`;
  },
  listWaiting: () => listStories(db, ["waiting"]),
});

const listVerb = verb({
  summary: "List the stories that are waiting for a decision.",
  options: listAllOption("include approved and rejected stories, and those of the desk"),
  async run(context, { all }) {
    const stories = await listStories(
      await context.database(),
      all ? ["waiting", ...publishedListStates, "rejected"] : ["waiting"],
    );
    context.result(
      stories.map(({ id, state, writtenBy, title, slug, createdAt, imageCount }) => ({
        id,
        state,
        writtenBy,
        title: toSafeLine(title),
        slug,
        createdAt: createdAt.toISOString(),
        images: imageCount,
      })),
    );
    if (stories.length === 0) {
      context.print(all ? "There are no stories in the database." : "No stories are waiting.");
      return;
    }
    const timeZone = await readTimeZone(context);
    context.table(
      ["id", "received", "title", "words", "images", ...(all ? ["from", "state", "page"] : [])],
      stories.map(({ id, createdAt, title, text, imageCount, writtenBy, state, slug }) => [
        shortenId(id),
        shortTimestamp(createdAt, timeZone),
        toSafeLine(title).slice(0, 50),
        String(text.split(/\s+/).length),
        String(imageCount),
        ...(all ? [writtenBy, state, state === "approved" ? storyPath(slug ?? "") : ""] : []),
      ]),
    );
  },
});

const showVerb = verb({
  summary: "Print stories, and save the text and images of each to a new folder.",
  arguments: { id: { ...idArgument, required: true } },
  options: {
    to: {
      type: "string",
      value: "folder",
      description: "where to create that folder; the current folder by default",
    },
  },
  async run(context, { id, to = "." }) {
    const db = await context.database();
    const stories = await pickAll(id, storyCandidates(context, db));
    const timeZone = await readTimeZone(context);
    const results: unknown[] = [];
    const result = (value: unknown) => context.result(oneOrMany([...results, value]));
    for (const story of stories) {
      if (results.length > 0) context.print("");
      results.push(await show({ ...context, result }, story, timeZone, resolve(context.cwd, to)));
    }
  },
});

async function show(context: CommandContext, story: StoryRow, timeZone: string, parent: string) {
  const images = await readStoryImages(await context.database(), story.id);
  const folder = join(parent, `story-${shortenId(story.id)}`);
  const textFile = join(folder, "story.txt");
  const body = stripControlCharacters(story.text);
  const imageFiles = images.map(({ alt, width, height }, index) => ({
    path: join(folder, `image-${index + 1}.webp`),
    alt: toSafeLine(alt),
    width,
    height,
  }));
  const shown = {
    id: story.id,
    state: story.state,
    writtenBy: story.writtenBy,
    title: toSafeLine(story.title),
    story: body,
    name: toSafeLine(story.name),
    email: story.email,
    slug: story.slug,
    category: story.category,
    createdAt: story.createdAt.toISOString(),
    files: [textFile, ...imageFiles.map(({ path }) => path)],
    images: imageFiles,
  };
  context.result(shown);
  context.print(`${shortenId(story.id)}  (${story.state})`);
  context.print(`title:     ${shown.title}`);
  context.print(`received:  ${shortTimestamp(story.createdAt, timeZone)}`);
  context.print(`from:      ${formatSender(story) || "(no name or email address)"}`);
  context.print("");
  for (const line of body.split("\n")) context.print(`  ${line}`);
  context.print("");
  try {
    // One folder at a time: a recursive mkdir never returns if the folder cannot exist there, for
    // example below /proc.
    for (const each of [parent, folder]) await mkdir(each, { mode: 0o700 }).catch(ignoreExisting);
    // An existing story.txt may contain an editor's changes, so it is not overwritten.
    await writeFile(textFile, `${body}\n`, { flag: "wx" }).catch(ignoreExisting);
    for (const [index, { path }] of imageFiles.entries())
      await writeFile(path, images[index]?.bytes ?? "");
  } catch (error) {
    const reason = fileErrorReason(error, context);
    fail(
      `! Could not save the files to ${folder}: ${reason}. Choose another folder: --to <folder>`,
    );
  }
  for (const { path, alt, width, height } of imageFiles)
    context.print(`${path}  ${width} × ${height}  ${alt || "(no description)"}`);
  const advice =
    story.writtenBy === "desk"
      ? `Edit it at ${itemPath("story", story.slug ?? "")}.`
      : 'Edit this file and publish it with "stories approve … --text".';
  context.print(`${textFile}  ${advice}`);
  return shown;
}

function ignoreExisting(error: unknown): void {
  if (!hasErrorCode(error, "EEXIST")) throw error;
}

const approveVerb = verb({
  summary:
    "Publish stories, as readers sent them or with the changes in the options, most of which are for one story. The sender gets an email.",
  arguments: { id: idArgument },
  options: {
    title: { type: "string", value: "title", description: "a new title" },
    category: {
      type: "string",
      value: "category",
      description: "a category of the city's sections",
    },
    text: { type: "string", value: "file", description: "a file with the edited text" },
    images: {
      type: "string",
      value: "numbers",
      description: "the images to show, such as 1,3, or none; the others are deleted",
    },
    alt: {
      type: "string",
      value: "number=description",
      repeated: true,
      description: 'an image description, such as "1=A cat on a rope"',
    },
    ...selectionOptions,
  },
  async run(context, { title, category, text: textFile, images, alt, ...selection }) {
    const db = await context.database();
    const stories = await selectSubmissions(
      context,
      "stories approve",
      selection,
      storyCandidates(context, db),
      (count) => `publish ${count}`,
    );
    if (stories.length === 0) return;
    const options = Object.entries({ title, text: textFile, images, alt: alt[0] });
    const [ofOne] = options.find(([, value]) => value !== undefined) ?? [];
    if (stories.length > 1 && ofOne)
      refuseCommand(`"--${ofOne}" changes one story. Approve the others with another command.`);
    const isEdited = ofOne !== undefined || category !== undefined;
    const ofDesk = stories.find(({ writtenBy }) => writtenBy === "desk");
    if (isEdited && ofDesk)
      refuseCommand(
        `"${toSafeLine(ofDesk.title)}" was written at the desk. Edit it at /desk/published/story/${ofDesk.slug}.`,
      );
    const text = textFile === undefined ? undefined : await readTextFile(context, textFile);
    const edits = new Map<string, StoryEdit>();
    const problems: string[] = [];
    const site = await readCommandSite(context, [sectionsFile, newsFolder]);
    const chosen = stories.map((story) => ({ kind: "story" as const, ...story }));
    for (const story of chosen) {
      const { id } = story;
      if (story.writtenBy === "desk" || (wasDecided(story, "accept") && !isEdited)) continue;
      const shown = chooseImages(await listStoryImages(db, id), images, alt);
      const { edit, errors } = readApproval(site, story, { title, text, category }, shown);
      if (edit) edits.set(id, edit);
      problems.push(...Object.values(errors).map((error) => `✗ ${shortenId(id)}: ${error}`));
    }
    if (problems.length > 0) refuseCommand([...problems, "Nothing was changed."].join("\n"));
    const outcome = await decideByCommand({ db, clock: context.clock, site }, chosen, {
      action: "accept",
      storyEdits: edits,
    });
    const { origin } = site.read(siteSettingsFile);
    const published = outcome.decided.map(({ id, state, slug, path = "" }) => ({
      id,
      state,
      slug,
      url: origin + path,
    }));
    context.result(oneOrMany(published));
    for (const { id, url } of published)
      context.print(`${outcome.unchanged.has(id) ? "Already published" : "Published"} at ${url}`);
    // In a process of its own, the command leaves the emails to a server's next job.
    if (context.isServing) (await context.services()).mail.wake();
    reportDecision(context, outcome);
  },
});

/** The images to show, with the descriptions that were typed for them. */
function chooseImages(
  images: { id: string; alt: string }[],
  selection: string | undefined,
  descriptions: string[],
) {
  const all = numberImages(images);
  const typed = selection?.split(",").map((number) => number.trim());
  const numbers = selection === "none" ? [] : (typed ?? all.map(({ number }) => `${number}`));
  const shown = all.filter(({ number }) => numbers.includes(`${number}`));
  if (shown.length < new Set(numbers).size)
    refuseCommand(
      `The story has ${formatCount(images.length, "image")}. Use for example --images 1 or --images none.`,
    );
  for (const description of descriptions) {
    const [, number = "", text = ""] = /^\s*(\d+)\s*=(.*)$/s.exec(description) ?? [];
    const image = shown.find((each) => number === `${each.number}`);
    if (!image)
      refuseCommand(
        `"--alt ${description}" must be the number of an image that is shown and its description: --alt "1=A cat on a rope".`,
      );
    image.alt = text;
  }
  return shown;
}

const rejectVerb = verb({
  summary: "Reject stories, and remove them from the site if they were approved.",
  arguments: { id: idArgument },
  options: { reason: reasonOption, ...selectionOptions },
  async run(context, { reason, ...selection }) {
    refuseEmptyReason(reason);
    const db = await context.database();
    const stories = await selectSubmissions(
      context,
      "stories reject",
      selection,
      storyCandidates(context, db),
      (count) => `reject ${count}`,
    );
    if (stories.length === 0) return;
    const outcome = await decideByCommand(
      { db, clock: context.clock, site: await readCommandSite(context) },
      stories.map((story) => ({ kind: "story", ...story })),
      { action: "reject", reason },
    );
    context.result(oneOrMany(outcome.decided));
    for (const { id, title, state } of stories)
      context.print(
        state === "approved"
          ? `Removed "${toSafeLine(title)}" from the site.`
          : outcome.unchanged.has(id)
            ? `"${toSafeLine(title)}" is already ${state === "down" ? "taken down" : "rejected"}.`
            : `Rejected "${toSafeLine(title)}".`,
      );
    reportDecision(context, outcome, reason);
  },
});

/**
 * The command is in the folder of the desk, because a decision by command also changes what the desk
 * stores: decisions that can be undone, drafts, versions and the log. It needs no editors, so it also
 * works in a city without a desk.
 */
export const storiesCommand: Command = {
  name: "stories",
  group: "Submissions",
  summary:
    "List, show, approve or reject stories that readers sent; preview drafts of the newsroom; write stories of the desk as files.",
  examples: [
    "stories list",
    "stories show 3f9a1c2b --to ~/Desktop",
    "stories approve 3f9a1c2b",
    'stories approve 3f9a1c2b --title "The Cat of Pier 5" --category Neighborhoods --text story.txt',
    'stories approve 3f9a1c2b --images 1,3 --alt "1=A cat on a rope" --alt "3=The pier at noon"',
    "stories approve 3f9a1c2b --images none",
    "stories approve 3f9a1c2b 77d0e4aa 0c51be20",
    "stories reject 3f9a1c2b",
    'stories reject 3f9a1c2b --reason "We do not publish poems."',
    "stories reject --all",
    "stories preview harbor-fire",
    "stories preview harbor-fire --new",
    "stories export --to sites/my-city/news/",
  ],
  verbs: {
    list: listVerb,
    show: showVerb,
    approve: approveVerb,
    reject: rejectVerb,
    preview: previewVerb,
    export: exportVerb,
  },
};
