import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { shortenId } from "../../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { exportVerb } from "../../stories/desk/export-verb.server.ts";
import { previewVerb } from "../../stories/preview/preview-verb.server.ts";
import { readStoryImages } from "../../stories/readers/moderation.server.ts";
import { itemPath } from "../published/model.ts";
import type { Submission } from "../waiting/list.server.ts";
import { approveStoryVerb } from "./approve-story-verb.server.ts";
import { idArgument, listVerb, rejectVerb, showSubmissions } from "./submission-verbs.server.ts";

const showStoryVerb = verb({
  summary: "Print stories, and save the text and images of each to a new folder.",
  arguments: { id: { ...idArgument("story"), required: true } },
  options: {
    to: {
      type: "string",
      value: "folder",
      description: "where to create that folder; the current folder by default",
    },
  },
  run: (context, { id, to = "." }) =>
    showSubmissions(context, "story", id, (story) =>
      save(context, story, resolve(context.cwd, to)),
    ),
});

/** Saves the text and the images of a story, and prints where. */
async function save(context: CommandContext, story: Submission, parent: string) {
  const images = await readStoryImages(await context.database(), story.id);
  const folder = join(parent, `story-${shortenId(story.id)}`);
  const textFile = join(folder, "story.txt");
  const imageFiles = images.map(({ alt, width, height }, index) => ({
    path: join(folder, `image-${index + 1}.webp`),
    alt: toSafeLine(alt),
    width,
    height,
  }));
  try {
    // One folder at a time: a recursive mkdir never returns if the folder cannot exist there, for
    // example below /proc.
    for (const each of [parent, folder]) await mkdir(each, { mode: 0o700 }).catch(ignoreExisting);
    // An existing story.txt may contain an editor's changes, so it is not overwritten.
    const text = `${stripControlCharacters(story.text)}\n`;
    await writeFile(textFile, text, { flag: "wx" }).catch(ignoreExisting);
    for (const [index, { path }] of imageFiles.entries())
      await writeFile(path, images[index]?.bytes ?? "");
  } catch (error) {
    const reason = fileErrorReason(error, context);
    fail(
      `! Could not save the files to ${folder}: ${reason}. Choose another folder: --to <folder>`,
    );
  }
  context.print("");
  for (const { path, alt, width, height } of imageFiles)
    context.print(`${path}  ${width} × ${height}  ${alt || "(no description)"}`);
  const advice =
    story.writtenBy === "desk"
      ? `Edit it at ${itemPath("story", story.slug ?? "")}.`
      : 'Edit this file and publish it with "stories approve … --text".';
  context.print(`${textFile}  ${advice}`);
  return { files: [textFile, ...imageFiles.map(({ path }) => path)], images: imageFiles };
}

function ignoreExisting(error: unknown): void {
  if (!hasErrorCode(error, "EEXIST")) throw error;
}

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
    list: listVerb("story"),
    show: showStoryVerb,
    approve: approveStoryVerb,
    reject: rejectVerb(
      "story",
      "Reject stories, and remove them from the site if they were approved.",
    ),
    preview: previewVerb,
    export: exportVerb,
  },
};
