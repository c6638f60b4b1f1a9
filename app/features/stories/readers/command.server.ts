import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Database } from "../../../../db/database.ts";
import { calendarDay, shortTimestamp } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fileErrorMessage, fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import {
  oneOrMany,
  pickAll,
  type SelectionOptions,
  selectionOptions,
  selectSubmissions,
} from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { readBrandFiles } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { reasonOption, refuseEmptyReason, reportSenders } from "../../forms/decisions.server.ts";
import { newsFolder } from "../files.server.ts";
import { previewVerb } from "../preview/command.server.ts";
import { maxAltLength, maxCategoryLength, maxStoryLength, maxTitleLength } from "./model.ts";
import {
  approveStories,
  findStories,
  listStories,
  readStoryImages,
  rejectStories,
} from "./moderation.server.ts";

const id = {
  repeated: true,
  description:
    'the first characters of the id that "stories list --all" shows, or the slug of the story, as in /news/<slug>',
} as const;

export const storiesCommand: Command = {
  name: "stories",
  group: "Submissions",
  summary:
    "List, show, approve or reject stories that readers sent; preview drafts of the newsroom.",
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
    "stories reject --all --older 2d --dry-run",
    "stories preview harbor-fire",
    "stories preview harbor-fire --new",
  ],
  verbs: {
    list: verb({
      summary: "List the stories that are waiting for a decision.",
      options: {
        all: {
          type: "flag",
          worksWithoutDashes: true,
          description: "include approved and rejected stories",
        },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    show: verb({
      summary: "Print stories, and save the text and images of each to a new folder.",
      arguments: { id: { ...id, required: true } },
      options: {
        to: {
          type: "string",
          value: "folder",
          description: "where to create that folder; the current folder by default",
        },
      },
      run: (args, { to }, context) => showAll(context, args.id, to),
    }),
    approve: verb({
      summary:
        "Publish stories, as readers sent them, or one story with the changes in the options. The sender gets an email.",
      arguments: { id },
      options: {
        title: { type: "string", value: "title", description: "a new title" },
        category: { type: "string", value: "category", description: "a new category" },
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
      run: ({ id }, edits, context) => approve(context, id, edits),
    }),
    reject: verb({
      summary: "Reject stories, and remove them from the site if they were approved.",
      arguments: { id },
      options: { reason: reasonOption, ...selectionOptions },
      run: (args, options, context) => reject(context, args.id, options),
    }),
    preview: previewVerb,
  },
};

type ApproveOptions = SelectionOptions & {
  title: string | undefined;
  category: string | undefined;
  text: string | undefined;
  images: string | undefined;
  alt: string[];
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const stories = await listStories(
    await context.database(),
    all ? ["waiting", "approved", "rejected"] : ["waiting"],
  );
  context.result(
    stories.map(({ id, state, title, slug, createdAt, imageCount }) => ({
      id,
      state,
      title: toSafeLine(title),
      slug,
      createdAt: createdAt.toISOString(),
      pictures: imageCount,
    })),
  );
  if (stories.length === 0)
    context.print(all ? "Readers have not sent any stories." : "No stories are waiting.");
  else {
    const { timeZone } = (await readBrandFiles(context)).read(siteSettingsFile);
    const rows = stories.map(({ id, createdAt, title, story, imageCount, state, slug }) => [
      shortenId(id),
      shortTimestamp(createdAt, timeZone),
      toSafeLine(title).slice(0, 50),
      String(story.split(/\s+/).length),
      String(imageCount),
      ...(all ? [state, state === "approved" ? `/news/${slug}` : ""] : []),
    ]);
    const head = ["id", "received", "title", "words", "images", ...(all ? ["state", "page"] : [])];
    context.table(head, rows);
  }
  return 0;
}

async function showAll(
  context: CommandContext,
  idsOrSlugs: string[],
  to: string | undefined,
): Promise<number> {
  const stories = await pickAll(context, idsOrSlugs, subject(await context.database(), "show"));
  if (typeof stories === "number") return stories;
  const { timeZone } = (await readBrandFiles(context)).read(siteSettingsFile);
  const results: unknown[] = [];
  for (const story of stories) {
    if (results.length > 0) context.print("");
    const result = (value: unknown) => results.push(value);
    const exit = await show(
      { ...context, result },
      story,
      shortTimestamp(story.createdAt, timeZone),
      to,
    );
    context.result(oneOrMany(results));
    if (exit > 0) return exit;
  }
  return 0;
}

/** Prints a story, and saves its text and images where an editor can open them. */
async function show(
  context: CommandContext,
  one: Story,
  received: string,
  to = ".",
): Promise<number> {
  const images = await readStoryImages(await context.database(), one.id);
  const parent = resolve(context.cwd, to);
  const folder = join(parent, `story-${shortenId(one.id)}`);
  const body = stripControlCharacters(one.story);
  const files = images.map(({ bytes, alt, width, height }, index) => ({
    path: join(folder, `image-${index + 1}.webp`),
    alt: toSafeLine(alt),
    width,
    height,
    bytes,
  }));
  const sender = [one.name, one.email].map(toSafeLine).filter(Boolean).join(", ");
  context.result({
    id: one.id,
    state: one.state,
    title: toSafeLine(one.title),
    story: body,
    name: toSafeLine(one.name),
    email: one.email,
    slug: one.slug,
    category: one.category,
    createdAt: one.createdAt.toISOString(),
    files: [join(folder, "story.txt"), ...files.map(({ path }) => path)],
    pictures: files.map(({ path, alt, width, height }) => ({ path, alt, width, height })),
  });
  context.print(`${shortenId(one.id)}  (${one.state})`);
  context.print(`title:     ${toSafeLine(one.title)}`);
  context.print(`received:  ${received}`);
  context.print(`from:      ${sender || "(no name or email address)"}`);
  context.print("");
  for (const line of body.split("\n")) context.print(`  ${line}`);
  context.print("");
  try {
    // One folder at a time: a recursive mkdir never returns if the folder cannot exist there, for
    // example below /proc.
    for (const each of [parent, folder]) await mkdir(each, { mode: 0o700 }).catch(ignoreExisting);
    // An existing story.txt may contain an editor's changes, so it is not overwritten.
    await writeFile(join(folder, "story.txt"), `${body}\n`, { flag: "wx" }).catch(ignoreExisting);
    for (const { path, bytes } of files) await writeFile(path, bytes);
  } catch (error) {
    const reason = fileErrorReason(error, {
      path: parent,
      action: "write",
      isServing: context.isServing,
    });
    context.print(
      `! Could not save the files to ${folder}: ${reason}. Choose another folder: --to <folder>`,
    );
    return 1;
  }
  for (const { path, alt, width, height } of files)
    context.print(`${path}  ${width} × ${height}  ${alt || "(no description)"}`);
  context.print(
    `${join(folder, "story.txt")}  Edit this file and publish it with "stories approve … --text".`,
  );
  return 0;
}

function ignoreExisting(error: unknown): void {
  if (!hasErrorCode(error, "EEXIST")) throw error;
}

async function approve(
  context: CommandContext,
  idsOrSlugs: string[],
  edits: ApproveOptions,
): Promise<number> {
  const db = await context.database();
  const stories = await selectSubmissions(
    context,
    "stories approve",
    idsOrSlugs,
    edits,
    subject(db, "publish"),
  );
  if (typeof stories === "number") return stories;
  const site = await readBrandFiles(context, [newsFolder]);
  const text = edits.text === undefined ? undefined : await readEditedText(context, edits.text);
  const title = edits.title === undefined ? undefined : toSafeLine(edits.title);
  const editsOfOne = { ...edits, alt: edits.alt[0] };
  const editOfOne = (["title", "text", "images", "alt"] as const).find(
    (name) => editsOfOne[name] !== undefined,
  );
  const chosen = [];
  // One at a time, because the images of many stories would need too much memory.
  for (const story of stories) {
    const images = chooseImages(await readStoryImages(db, story.id), edits.images, edits.alt);
    chosen.push({ story, images });
  }
  const error = [
    stories.length > 1 &&
      editOfOne !== undefined &&
      `"--${editOfOne}" changes one story. Approve the others with another command.`,
    text?.error,
    text &&
      text.content.length > maxStoryLength &&
      `The text is too long. A story can have at most ${maxStoryLength} characters.`,
    text?.content === "" && "The file with the text is empty.",
    (edits.category ?? "").length > maxCategoryLength &&
      `The category is too long. It can have at most ${maxCategoryLength} characters.`,
    title !== undefined &&
      (title === "" || title.length > maxTitleLength) &&
      `A title must have 1 to ${maxTitleLength} characters.`,
    ...chosen.map(({ images }) => images),
  ].find((message) => typeof message === "string");
  if (error !== undefined) {
    context.print(error);
    return 2;
  }
  const approvals = chosen.map(({ story, images }) => ({
    id: story.id,
    state: story.state,
    title,
    text: text?.content,
    images: typeof images === "string" ? [] : images,
    category: toSafeLine(edits.category ?? "") || story.category || "Community",
  }));
  const approved = await approveStories(
    db,
    {
      clock: context.clock,
      site,
      day: calendarDay(context.clock(), site.read(siteSettingsFile).timeZone),
      fileNames: new Set(site.readAll(newsFolder).map(({ id: name }) => name)),
    },
    approvals,
  );
  if (!approved) return refuseChanged(context);
  const { published, senders } = approved;
  context.result(
    oneOrMany(published.map(({ id, slug, url }) => ({ id, state: "approved", slug, url }))),
  );
  for (const { url } of published) context.print(`Published at ${url}`);
  await reportSenders(context, senders);
  for (const { id, images } of approvals) {
    const undescribed = images.flatMap(({ alt }, index) => (alt === "" ? [index + 1] : []));
    if (undescribed.length > 0)
      context.print(
        `! No description for image ${undescribed.join(" and ")}. Readers who cannot see it need one. Run: stories approve ${shortenId(id)} --alt "${undescribed[0]}=…"`,
      );
  }
  return 0;
}

/** The text of an editor's file, or a message about why it cannot be read. */
async function readEditedText(
  context: CommandContext,
  name: string,
): Promise<{ content: string; error?: string }> {
  const path = resolve(context.cwd, name);
  try {
    return { content: stripControlCharacters(await readFile(path, "utf8")).trim() };
  } catch (error) {
    return {
      content: "",
      error: fileErrorMessage(error, { path, action: "read", isServing: context.isServing }),
    };
  }
}

/**
 * The images to show with their descriptions, or a message about what is wrong with the options.
 */
function chooseImages(
  images: { id: string; alt: string }[],
  selection: string | undefined,
  descriptions: string[],
) {
  const imageCountSentence = `The story has ${formatCount(images.length, "image")}.`;
  const isImageNumber = (text: string) => /^[1-9]$/.test(text) && Number(text) <= images.length;
  const numbers =
    selection === undefined
      ? images.map((_, index) => String(index + 1))
      : selection === "none"
        ? []
        : selection.split(",").map((number) => number.trim());
  if (!numbers.every(isImageNumber))
    return `${imageCountSentence} Use for example --images 1,2 or --images none.`;
  const alts = new Map<string, string>();
  for (const description of descriptions) {
    const separator = description.indexOf("=");
    const number = description.slice(0, separator).trim();
    const alt = toSafeLine(description.slice(separator + 1));
    if (separator < 0 || alt === "")
      return `"--alt ${description}" has no description. Type the image's number and its description: --alt "1=A cat on a rope".`;
    if (!isImageNumber(number))
      return `${imageCountSentence} "--alt ${description}" does not match any of them.`;
    if (!numbers.includes(number))
      return `Image ${number} has a description but is not in --images.`;
    if (alts.has(number)) return `Image ${number} has two descriptions. Type only one.`;
    if (alt.length > maxAltLength)
      return `An image description can have at most ${maxAltLength} characters.`;
    alts.set(number, alt);
  }
  return images.flatMap(({ id, alt }, index) => {
    const number = String(index + 1);
    return numbers.includes(number) ? [{ id, alt: alts.get(number) ?? alt }] : [];
  });
}

/** Rejects all the given stories, or none of them if one is not found. */
async function reject(
  context: CommandContext,
  idsOrSlugs: string[],
  { reason, ...options }: SelectionOptions & { reason: string | undefined },
): Promise<number> {
  const refusal = refuseEmptyReason(context, reason);
  if (refusal !== null) return refusal;
  const db = await context.database();
  const stories = await selectSubmissions(
    context,
    "stories reject",
    idsOrSlugs,
    options,
    subject(db, "reject"),
  );
  if (typeof stories === "number") return stories;
  const senders = await rejectStories(
    db,
    { clock: context.clock, site: await readBrandFiles(context) },
    stories,
    reason,
  );
  if (!senders) return refuseChanged(context);
  context.result(oneOrMany(stories.map(({ id }) => ({ id, state: "rejected" }))));
  for (const { title, state } of stories)
    context.print(
      state === "approved"
        ? `Removed "${toSafeLine(title)}" from the site.`
        : `Rejected "${toSafeLine(title)}".`,
    );
  await reportSenders(context, senders, reason);
  return 0;
}

function refuseChanged(context: CommandContext): number {
  context.print(
    "Nothing was changed, because somebody else has just decided about one of the stories. Try again.",
  );
  return 1;
}

type Story = Awaited<ReturnType<typeof findStories>>[number];

const subject = (db: Database, action: string) => ({
  describeAction: (count: string) => `${action} ${count}`,
  noun: "story",
  nouns: "stories",
  listCommand: "stories list --all",
  label: ({ title, state }: Story) => `${toSafeLine(title).slice(0, 60)} (${state})`,
  shorten: shortenId,
  find: (typed: string) => findStories(db, typed),
  listWaiting: () => listStories(db, ["waiting"]),
});
