import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { formatSender, shortenId } from "../../../lib/newsroom/printing.ts";
import { listAllOption, minIdLength, oneOrMany, pickAll } from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { readTimeZone } from "../../brand/command-site.server.ts";
import { newsFolder } from "../files.server.ts";
import { storyPath } from "../model.ts";
import { publishedListStates } from "../schema.server.ts";
import { findStories, listStories, readStoryImages } from "./moderation.server.ts";

export const idArgument = {
  repeated: true,
  description: `at least ${minIdLength} characters of the id that "stories list --all" shows, or the slug of the story, as in /news/<slug>`,
} as const;

const toDeskPath = (slug: string) => `/desk/published/story/${slug}`;

type Story = Awaited<ReturnType<typeof findStories>>[number];

export const storySubject = (context: CommandContext, db: Database) => ({
  noun: "story",
  nouns: "stories",
  listCommand: "stories list --all",
  label: ({ title, state }: Story) => `${toSafeLine(title).slice(0, 60)} (${state})`,
  shorten: shortenId,
  find: (typed: string) => findStories(db, typed),
  async explainMissing(typed: string) {
    const site = await context.readSite([newsFolder]);
    if (!site.names(newsFolder).includes(typed)) return null;
    const file = join(context.siteFolder, newsFolder.folder, `${typed}.md`);
    return `✗ "${typed}" is the file ${file}. Edit it, or take it down at the desk: ${toDeskPath(typed)}.`;
  },
  listWaiting: () => listStories(db, ["waiting"]),
});

export const listVerb = verb({
  summary: "List the stories that are waiting for a decision.",
  options: listAllOption("include approved and rejected stories, and those of the desk"),
  async run(context, { all }) {
    const stories = await listStories(
      await context.database(),
      all ? ["waiting", ...publishedListStates, "rejected"] : ["waiting"],
    );
    context.result(
      stories.map(({ id, state, origin, title, slug, createdAt, imageCount }) => ({
        id,
        state,
        origin,
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
      stories.map(({ id, createdAt, title, text, imageCount, origin, state, slug }) => [
        shortenId(id),
        shortTimestamp(createdAt, timeZone),
        toSafeLine(title).slice(0, 50),
        String(text.split(/\s+/).length),
        String(imageCount),
        ...(all ? [origin, state, state === "approved" ? storyPath(slug ?? "") : ""] : []),
      ]),
    );
  },
});

export const showVerb = verb({
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
    const stories = await pickAll(id, storySubject(context, db));
    const timeZone = await readTimeZone(context);
    const results: unknown[] = [];
    const result = (value: unknown) => context.result(oneOrMany([...results, value]));
    for (const story of stories) {
      if (results.length > 0) context.print("");
      results.push(await show({ ...context, result }, story, timeZone, resolve(context.cwd, to)));
    }
  },
});

async function show(context: CommandContext, story: Story, timeZone: string, parent: string) {
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
    origin: story.origin,
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
    story.origin === "desk"
      ? `Edit it at ${toDeskPath(story.slug ?? "")}.`
      : 'Edit this file and publish it with "stories approve … --text".';
  context.print(`${textFile}  ${advice}`);
  return shown;
}

function ignoreExisting(error: unknown): void {
  if (!hasErrorCode(error, "EEXIST")) throw error;
}
