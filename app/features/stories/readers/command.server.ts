import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { calendarDay } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { fileErrorMessage, fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, pickOne, shortId } from "../../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { brandFile } from "../../brand/files.server.ts";
import { newsFolder } from "../files.server.ts";
import { maxAltLength, maxCategoryLength, maxStoryLength, maxTitleLength } from "./model.ts";
import {
  approveStory,
  findStories,
  listStories,
  readStoryImages,
  rejectStories,
} from "./moderation.server.ts";

const id = {
  required: true,
  description:
    'the beginning of the id that "stories list --all" shows, or the name of the page below /news/',
} as const;

export const storiesCommand: Command = {
  name: "stories",
  group: "Submissions",
  summary: "Shows the stories that readers sent, approves or rejects them.",
  examples: [
    "stories list",
    "stories show 3f9a1c2b --to ~/Desktop",
    "stories approve 3f9a1c2b",
    'stories approve 3f9a1c2b --title "The Cat of Pier 5" --category Neighborhoods --text story.txt',
    'stories approve 3f9a1c2b --pictures 1,3 --alt "1=A cat on a rope" --alt "3=The pier at noon"',
    "stories approve 3f9a1c2b --pictures none",
    "stories reject 3f9a1c2b",
    "stories reject 3f9a1c2b 77d0e4aa 0c51be20",
  ],
  verbs: {
    list: verb({
      summary: "Lists the stories that are waiting.",
      options: {
        all: { type: "flag", isBareWord: true, description: "approved and rejected ones too" },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    show: verb({
      summary: "Prints a story, and writes its text and its pictures into a new folder.",
      arguments: { id },
      options: {
        to: {
          type: "string",
          value: "folder",
          description: "where that folder is created, instead of here",
        },
      },
      run: ({ id: asked }, { to }, context) => show(context, asked, to),
    }),
    approve: verb({
      summary: "Publishes a story. What is not given stays as the reader sent it.",
      arguments: { id },
      options: {
        title: { type: "string", value: "title", description: "another title" },
        category: { type: "string", value: "category", description: "another category" },
        text: { type: "string", value: "file", description: "a file with the edited text" },
        pictures: {
          type: "string",
          value: "numbers",
          description: "the pictures to show, such as 1,3, or none; the others are deleted",
        },
        alt: {
          type: "string",
          value: "number=words",
          repeated: true,
          description: 'what a picture shows, such as "1=A cat on a rope"',
        },
      },
      run: ({ id: asked }, options, context) => approve(context, asked, options),
    }),
    reject: verb({
      summary: "Removes stories from the site, or never shows them: all that are named, or none.",
      arguments: { id: { ...id, repeated: true } },
      run: ({ id: asked }, _options, context) => reject(context, asked),
    }),
  },
};

type Edits = {
  title: string | undefined;
  category: string | undefined;
  text: string | undefined;
  pictures: string | undefined;
  alt: string[];
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const stories = await listStories(
    await context.database(),
    all ? ["waiting", "approved", "rejected"] : ["waiting"],
  );
  context.result(
    stories.map(({ id, state, title, slug, createdAt, imageCount: pictures }) => ({
      id,
      state,
      title: toSafeLine(title),
      slug,
      createdAt: createdAt.toISOString(),
      pictures,
    })),
  );
  if (stories.length === 0) context.print(all ? "There is no story." : "No story is waiting.");
  else {
    const rows = stories.map(
      ({ id, createdAt, title, story, imageCount: pictures, state, slug }) => [
        shortId(id),
        createdAt.toISOString().slice(0, 16).replace("T", " "),
        toSafeLine(title).slice(0, 50),
        String(story.split(/\s+/).length),
        String(pictures),
        ...(all ? [state, state === "approved" ? `/news/${slug}` : ""] : []),
      ],
    );
    const head = [
      "id",
      "came (UTC)",
      "title",
      "words",
      "pictures",
      ...(all ? ["state", "page"] : []),
    ];
    context.table(head, rows);
  }
  return 0;
}

/** Prints a story and writes it and its pictures where an editor can open them. */
async function show(context: CommandContext, asked: string, to = "."): Promise<number> {
  const found = await findStory(context, asked);
  if (found.kind === "none") return found.exit;
  const { one } = found;
  const pictures = await readStoryImages(await context.database(), one.id);
  const place = resolve(context.cwd, to);
  const folder = join(place, `story-${shortId(one.id)}`);
  const body = stripControlCharacters(one.story);
  const files = pictures.map(({ bytes, alt, width, height }, index) => ({
    path: join(folder, `picture-${index + 1}.webp`),
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
  context.print(`${shortId(one.id)}  (${one.state})`);
  context.print(`title:  ${toSafeLine(one.title)}`);
  context.print(`came:   ${one.createdAt.toISOString()}`);
  context.print(`from:   ${sender || "no name, no address"}`);
  context.print("");
  for (const line of body.split("\n")) context.print(`  ${line}`);
  context.print("");
  try {
    // One by one: asked for all at once, Node tries for ever where a folder cannot be (such as
    // /proc).
    for (const each of [place, folder]) await mkdir(each, { mode: 0o700 }).catch(ignoreExisting);
    // What an editor has written into it meanwhile stays.
    await writeFile(join(folder, "story.txt"), `${body}\n`, { flag: "wx" }).catch(ignoreExisting);
    for (const { path, bytes } of files) await writeFile(path, bytes);
  } catch (error) {
    const reason = fileErrorReason(error, {
      path: place,
      done: "written",
      isServing: context.isServing,
    });
    context.print(
      `! Its files could not be written to ${folder}: ${reason}. Name another folder: --to <folder>`,
    );
    return 1;
  }
  for (const { path, alt, width, height } of files)
    context.print(`${path}  ${width} × ${height}  ${alt || "(no words about it)"}`);
  context.print(
    `${join(folder, "story.txt")}  can be edited and given to "stories approve" with --text`,
  );
  return 0;
}

function ignoreExisting(error: unknown): void {
  if (!hasErrorCode(error, "EEXIST")) throw error;
}

async function approve(context: CommandContext, asked: string, edits: Edits): Promise<number> {
  const found = await findStory(context, asked);
  if (found.kind === "none") return found.exit;
  const db = await context.database();
  const site = await context.readSite([brandFile, newsFolder]);
  const { timeZone, origin } = site.read(brandFile);
  const text = edits.text === undefined ? undefined : await readEditedText(context, edits.text);
  const title = edits.title === undefined ? undefined : toSafeLine(edits.title);
  const pictures = chooseImages(await readStoryImages(db, found.one.id), edits.pictures, edits.alt);
  const unclear = [
    text?.fault,
    text &&
      text.words.length > maxStoryLength &&
      `A story has at most ${maxStoryLength} characters.`,
    text?.words === "" && "The file with the text is empty.",
    (edits.category ?? "").length > maxCategoryLength &&
      `A category has at most ${maxCategoryLength} characters.`,
    title !== undefined &&
      (title === "" || title.length > maxTitleLength) &&
      `A title has 1 to ${maxTitleLength} characters.`,
    typeof pictures === "string" && pictures,
  ].find((fault) => typeof fault === "string");
  if (unclear !== undefined || typeof pictures === "string") {
    context.print(String(unclear));
    return 2;
  }
  const fileNames = new Set(site.readAll(newsFolder).map(({ id: name }) => name));
  const today = { clock: context.clock, day: calendarDay(context.clock(), timeZone), fileNames };
  const slug = await approveStory(db, today, found.one.id, {
    title,
    images: pictures,
    text: text?.words,
    category: toSafeLine(edits.category ?? "") || found.one.category || "Community",
  });
  const url = `${origin}/news/${slug}`;
  context.result({ id: found.one.id, state: "approved", slug, url });
  context.print(`On the site: ${url}`);
  const wordless = pictures.flatMap(({ alt }, index) => (alt === "" ? [index + 1] : []));
  if (wordless.length > 0)
    context.print(
      `! Readers who cannot see picture ${wordless.join(" and ")} do not learn what it shows. Describe it: stories approve ${shortId(found.one.id)} --alt "${wordless[0]}=…"`,
    );
  return 0;
}

/** The text of an editor's file, or why it cannot be read. */
async function readEditedText(
  context: CommandContext,
  name: string,
): Promise<{ words: string; fault?: string }> {
  const path = resolve(context.cwd, name);
  try {
    return { words: stripControlCharacters(await readFile(path, "utf8")).trim() };
  } catch (error) {
    return {
      words: "",
      fault: fileErrorMessage(error, { path, done: "read", isServing: context.isServing }),
    };
  }
}

/**
 * The pictures to show with their descriptions, or a sentence about what is wrong with the options.
 */
function chooseImages(
  pictures: { id: string; alt: string }[],
  wanted: string | undefined,
  descriptions: string[],
) {
  const has = `The story has ${formatCount(pictures.length, "picture")}.`;
  const isNumber = (text: string) => /^[1-9]$/.test(text) && Number(text) <= pictures.length;
  const numbers =
    wanted === undefined
      ? pictures.map((_, index) => String(index + 1))
      : wanted === "none"
        ? []
        : wanted.split(",").map((number) => number.trim());
  if (!numbers.every(isNumber)) return `${has} Choose with --pictures 1,2 or --pictures none.`;
  const alts = new Map<string, string>();
  for (const description of descriptions) {
    const at = description.indexOf("=");
    const [number, words] = [
      description.slice(0, at).trim(),
      toSafeLine(description.slice(at + 1)),
    ];
    if (at < 0 || words === "")
      return `"--alt ${description}" does not say what the picture shows. Type its number and its description: --alt "1=A cat on a rope".`;
    if (!isNumber(number)) return `${has} "--alt ${description}" describes none of them.`;
    if (!numbers.includes(number))
      return `Picture ${number} has a description but is not among --pictures.`;
    if (alts.has(number)) return `Picture ${number} has two descriptions. Give one.`;
    if (words.length > maxAltLength)
      return `The description of a picture has at most ${maxAltLength} characters.`;
    alts.set(number, words);
  }
  return pictures.flatMap(({ id, alt }, index) => {
    const number = String(index + 1);
    return numbers.includes(number) ? [{ id, alt: alts.get(number) ?? alt }] : [];
  });
}

/** Rejects all the stories that are named, or none of them. */
async function reject(context: CommandContext, asked: string[]): Promise<number> {
  const found = [];
  // One by one, so that the reasons are printed in the order of the ids.
  for (const each of asked) found.push(await findStory(context, each));
  const exits = found.flatMap((each) => (each.kind === "none" ? [each.exit] : []));
  if (exits.length > 0) {
    if (asked.length > 1) context.print("Nothing was rejected.");
    return Math.max(...exits);
  }
  const named = found.flatMap((each) => (each.kind === "one" ? [each.one] : []));
  const stories = [...new Map(named.map((story) => [story.id, story])).values()];
  const isDone = await rejectStories(
    await context.database(),
    context.clock,
    stories.map(({ id }) => id),
  );
  if (!isDone) {
    context.print("Nothing was rejected: a story was deleted in the meantime. Please try again.");
    return 1;
  }
  const answers = stories.map(({ id }) => ({ id, state: "rejected" }));
  context.result(answers.length === 1 ? answers[0] : answers);
  for (const { title } of stories) context.print(`"${toSafeLine(title)}" is not on the site.`);
  return 0;
}

async function findStory(context: CommandContext, asked: string) {
  const found = await findStories(await context.database(), asked);
  const label = ({ title, state }: (typeof found)[number]) =>
    `${toSafeLine(title).slice(0, 60)} (${state})`;
  return pickOne(context, found, { asked, thing: "story", list: "stories list --all", label });
}
