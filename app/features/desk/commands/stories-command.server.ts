import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { shortTimestamp } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { formatSender, shortenId } from "../../../lib/newsroom/printing.ts";
import {
  listAllOption,
  oneOrMany,
  pickAll,
  selectionOptions,
  selectSubmissions,
} from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { readCommandSite, readTimeZone } from "../../brand/command-site.server.ts";
import { exportVerb } from "../../stories/desk/export-verb.server.ts";
import { storyPath } from "../../stories/model.ts";
import { previewVerb } from "../../stories/preview/preview-verb.server.ts";
import { listStories, readStoryImages } from "../../stories/readers/moderation.server.ts";
import { publishedListStates, type StoryRow } from "../../stories/schema.server.ts";
import { itemPath } from "../published/model.ts";
import { approveStoryVerb } from "./approve-story-verb.server.ts";
import {
  decideByCommand,
  reasonOption,
  refuseEmptyReason,
  reportDecision,
} from "./decide-by-command.server.ts";
import { storyCandidates, storyIdArgument } from "./story-candidates.server.ts";

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
  arguments: { id: { ...storyIdArgument, required: true } },
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

const rejectVerb = verb({
  summary: "Reject stories, and remove them from the site if they were approved.",
  arguments: { id: storyIdArgument },
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
    approve: approveStoryVerb,
    reject: rejectVerb,
    preview: previewVerb,
    export: exportVerb,
  },
};
