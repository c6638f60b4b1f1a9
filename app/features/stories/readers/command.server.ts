import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { calendarDay } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fileErrorMessage, fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, pickOne, shortenId } from "../../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { newsFolder } from "../files.server.ts";
import { previewVerb } from "../preview/command.server.ts";
import { maxAltLength, maxCategoryLength, maxStoryLength, maxTitleLength } from "./model.ts";
import {
  approveStory,
  findStories,
  listStories,
  readStoryImages,
  rejectStories,
} from "./moderation.server.ts";

/** The former name of --images, which scripts may still use. */
const formerImagesOption = "pictures";

const id = {
  required: true,
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
    "stories reject 3f9a1c2b",
    "stories preview harbor-fire",
    "stories preview harbor-fire --new",
    "stories reject 3f9a1c2b 77d0e4aa 0c51be20",
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
      summary: "Print a story, and save its text and images to a new folder.",
      arguments: { id },
      options: {
        to: {
          type: "string",
          value: "folder",
          description: "where to create that folder; the current folder by default",
        },
      },
      run: (args, { to }, context) => show(context, args.id, to),
    }),
    approve: verb({
      summary: "Publish a story, as the reader sent it or with the changes in the options.",
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
        [formerImagesOption]: {
          type: "string",
          value: "numbers",
          description: "the former name of --images",
          isFormerName: true,
        },
        alt: {
          type: "string",
          value: "number=description",
          repeated: true,
          description: 'an image description, such as "1=A cat on a rope"',
        },
      },
      run({ id }, { [formerImagesOption]: formerImages, images, ...edits }, context) {
        if (formerImages !== undefined)
          context.print(`"--${formerImagesOption}" is now called "--images".`);
        return approve(context, id, { ...edits, images: images ?? formerImages });
      },
    }),
    reject: verb({
      summary: "Reject stories, and remove them from the site if they were approved.",
      arguments: { id: { ...id, repeated: true } },
      run: (args, _options, context) => reject(context, args.id),
    }),
    preview: previewVerb,
  },
};

type ApproveOptions = {
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
    const rows = stories.map(({ id, createdAt, title, story, imageCount, state, slug }) => [
      shortenId(id),
      createdAt.toISOString().slice(0, 16).replace("T", " "),
      toSafeLine(title).slice(0, 50),
      String(story.split(/\s+/).length),
      String(imageCount),
      ...(all ? [state, state === "approved" ? `/news/${slug}` : ""] : []),
    ]);
    const head = [
      "id",
      "received (UTC)",
      "title",
      "words",
      "images",
      ...(all ? ["state", "page"] : []),
    ];
    context.table(head, rows);
  }
  return 0;
}

/** Prints a story, and saves its text and images where an editor can open them. */
async function show(context: CommandContext, idOrSlug: string, to = "."): Promise<number> {
  const found = await findStory(context, idOrSlug);
  if (found.kind === "none") return found.exit;
  const { one } = found;
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
  context.print(`received:  ${one.createdAt.toISOString()}`);
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
  idOrSlug: string,
  edits: ApproveOptions,
): Promise<number> {
  const found = await findStory(context, idOrSlug);
  if (found.kind === "none") return found.exit;
  const db = await context.database();
  const site = await context.readSite([siteSettingsFile, newsFolder]);
  const { timeZone, origin } = site.read(siteSettingsFile);
  const text = edits.text === undefined ? undefined : await readEditedText(context, edits.text);
  const title = edits.title === undefined ? undefined : toSafeLine(edits.title);
  const images = chooseImages(await readStoryImages(db, found.one.id), edits.images, edits.alt);
  const error = [
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
    typeof images === "string" && images,
  ].find((message) => typeof message === "string");
  if (error !== undefined || typeof images === "string") {
    context.print(String(error));
    return 2;
  }
  const fileNames = new Set(site.readAll(newsFolder).map(({ id: name }) => name));
  const approval = { clock: context.clock, day: calendarDay(context.clock(), timeZone), fileNames };
  const slug = await approveStory(db, approval, found.one.id, {
    title,
    images,
    text: text?.content,
    category: toSafeLine(edits.category ?? "") || found.one.category || "Community",
  });
  const url = `${origin}/news/${slug}`;
  context.result({ id: found.one.id, state: "approved", slug, url });
  context.print(`Published at ${url}`);
  const undescribed = images.flatMap(({ alt }, index) => (alt === "" ? [index + 1] : []));
  if (undescribed.length > 0)
    context.print(
      `! No description for image ${undescribed.join(" and ")}. Readers who cannot see it need one. Run: stories approve ${shortenId(found.one.id)} --alt "${undescribed[0]}=…"`,
    );
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
async function reject(context: CommandContext, idsOrSlugs: string[]): Promise<number> {
  const found = [];
  // One at a time, so that messages are printed in the order of the ids.
  for (const idOrSlug of idsOrSlugs) found.push(await findStory(context, idOrSlug));
  const exits = found.flatMap((each) => (each.kind === "none" ? [each.exit] : []));
  if (exits.length > 0) {
    if (idsOrSlugs.length > 1) context.print("Nothing was rejected.");
    return Math.max(...exits);
  }
  const matches = found.flatMap((each) => (each.kind === "one" ? [each.one] : []));
  const stories = [...new Map(matches.map((story) => [story.id, story])).values()];
  const areRejected = await rejectStories(
    await context.database(),
    context.clock,
    stories.map(({ id }) => id),
  );
  if (!areRejected) {
    context.print("Nothing was rejected, because one of the stories was just deleted. Try again.");
    return 1;
  }
  const results = stories.map(({ id }) => ({ id, state: "rejected" }));
  context.result(results.length === 1 ? results[0] : results);
  for (const { title } of stories) context.print(`Rejected "${toSafeLine(title)}".`);
  return 0;
}

async function findStory(context: CommandContext, idOrSlug: string) {
  const found = await findStories(await context.database(), idOrSlug);
  const label = ({ title, state }: (typeof found)[number]) =>
    `${toSafeLine(title).slice(0, 60)} (${state})`;
  return pickOne(context, found, {
    typed: idOrSlug,
    noun: "story",
    listCommand: "stories list --all",
    label,
  });
}
