import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import {
  maxAltLength,
  maxCategoryLength,
  maxStoryLength,
  maxTitleLength,
} from "../../app/features/stories/readers/model.ts";
import {
  approveStory,
  findStories,
  listStories,
  picturesOf,
  rejectStories,
} from "../../app/features/stories/readers/moderation.server.ts";
import { calendarDay } from "../../app/lib/dates.ts";
import { plainLine, plainText } from "../../app/lib/text/plain-text.ts";
import { hasCode } from "../process/lock.ts";
import { readSite } from "../site/site-files.ts";
import type { Command, Desk } from "./commands.ts";
import { isWholeList, onlyOne, shortId } from "./printing.ts";

export const storiesCommand: Command = {
  name: "stories",
  summary: "Shows the stories that readers sent, approves or rejects them.",
  usage:
    "stories list [--all] | show <id> [--to <folder>] | approve <id> [--title … and others] | reject <id> …",
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
  async run([verb, ...rest], desk) {
    if (verb === "list") return list(desk, rest);
    const run = verb === undefined ? undefined : verbs[verb];
    const typed = readWords(rest);
    if (run && typed.kind === "read") {
      if (run === reject || typed.words.positionals.length <= 1) return run(desk, typed.words);
      desk.print(`Name one story: "stories ${verb}" takes one at a time.`);
      return 2;
    }
    if (typed.kind === "unclear") desk.print(typed.why);
    else desk.print(`Say one of: list, ${Object.keys(verbs).join(", ")}.`);
    return 2;
  },
};

type Words = ReturnType<typeof parse>;
const verbs: Record<string, (desk: Desk, words: Words) => Promise<number>> = { show, approve, reject };

const text = { type: "string" } as const;
function parse(args: string[]) {
  const options = {
    title: text,
    category: text,
    text,
    pictures: text,
    to: text,
    alt: { ...text, multiple: true },
  } as const;
  return parseArgs({ args, options, allowPositionals: true });
}

function readWords(args: string[]): { kind: "read"; words: Words } | { kind: "unclear"; why: string } {
  try {
    return { kind: "read", words: parse(args) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "unclear", why: why.split("\n", 1)[0] ?? "" };
  }
}

async function list(desk: Desk, args: string[]): Promise<number> {
  const all = isWholeList(desk, args);
  if (all === null) return 2;
  const stories = await listStories(
    await desk.database(),
    all ? ["waiting", "approved", "rejected"] : ["waiting"],
  );
  desk.answer(
    stories.map(({ id, state, title, slug, createdAt, pictures }) => ({
      ...{ id, state, title: plainLine(title), slug, createdAt: createdAt.toISOString(), pictures },
    })),
  );
  if (stories.length === 0) desk.print(all ? "There is no story." : "No story is waiting.");
  else {
    const rows = stories.map(({ id, createdAt, title, story, pictures, state, slug }) => [
      ...[shortId(id), createdAt.toISOString().slice(0, 16).replace("T", " "), plainLine(title).slice(0, 50)],
      ...[String(story.split(/\s+/).length), String(pictures)],
      ...(all ? [state, state === "approved" ? `/news/${slug}` : ""] : []),
    ]);
    const head = ["id", "came (UTC)", "title", "words", "pictures", ...(all ? ["state", "page"] : [])];
    desk.table(head, rows);
  }
  return 0;
}

/** Prints a story and writes it and its pictures where an editor can open them. */
async function show(desk: Desk, { positionals: [id], values }: Words): Promise<number> {
  const found = await theStory(desk, id);
  if (found.kind === "none") return found.exit;
  const { one } = found;
  const pictures = await picturesOf(await desk.database(), one.id);
  const place = resolve(desk.cwd, values.to ?? ".");
  const folder = join(place, `story-${shortId(one.id)}`);
  const body = plainText(one.story);
  const files = pictures.map(({ bytes, alt, width, height }, index) => ({
    ...{ path: join(folder, `picture-${index + 1}.webp`), alt: plainLine(alt), width, height, bytes },
  }));
  const sender = [one.name, one.email].map(plainLine).filter(Boolean).join(", ");
  desk.answer({
    ...{ id: one.id, state: one.state, title: plainLine(one.title), story: body, name: plainLine(one.name) },
    ...{ email: one.email, slug: one.slug, category: one.category, createdAt: one.createdAt.toISOString() },
    files: [join(folder, "story.txt"), ...files.map(({ path }) => path)],
    pictures: files.map(({ path, alt, width, height }) => ({ path, alt, width, height })),
  });
  desk.print(`${shortId(one.id)}  (${one.state})`);
  desk.print(`title:  ${plainLine(one.title)}`);
  desk.print(`came:   ${one.createdAt.toISOString()}`);
  desk.print(`from:   ${sender || "no name, no address"}`);
  desk.print("");
  for (const line of body.split("\n")) desk.print(`  ${line}`);
  desk.print("");
  try {
    // One by one: asked for all at once, Node tries for ever where a folder cannot be (such as /proc).
    for (const each of [place, folder]) await mkdir(each, { mode: 0o700 }).catch(unlessThere);
    // What an editor has written into it meanwhile stays.
    await writeFile(join(folder, "story.txt"), `${body}\n`, { flag: "wx" }).catch(unlessThere);
    for (const { path, bytes } of files) await writeFile(path, bytes);
  } catch {
    desk.print(`! Its files could not be written to ${folder}. Name a folder where they can: --to <folder>`);
    return 1;
  }
  for (const { path, alt, width, height } of files)
    desk.print(`${path}  ${width} × ${height}  ${alt || "(no words about it)"}`);
  desk.print(`${join(folder, "story.txt")}  can be edited and given to "stories approve" with --text`);
  return 0;
}

function unlessThere(error: unknown): void {
  if (!hasCode(error, "EEXIST")) throw error;
}

async function approve(desk: Desk, { positionals: [id], values }: Words): Promise<number> {
  const found = await theStory(desk, id);
  if (found.kind === "none") return found.exit;
  const db = await desk.database();
  const site = await readSite(desk.siteFolder, [brandFile, newsFolder]);
  const { timeZone, origin } = site.read(brandFile);
  const text =
    values.text === undefined
      ? undefined
      : await readFile(resolve(desk.cwd, values.text), "utf8").catch(() => null);
  const title = values.title === undefined ? undefined : plainLine(values.title);
  const pictures = choosePictures(await picturesOf(db, found.one.id), values.pictures, values.alt ?? []);
  const unclear = [
    text === null && `There is no file ${resolve(desk.cwd, values.text ?? "")}.`,
    text &&
      plainText(text).trim().length > maxStoryLength &&
      `A story has at most ${maxStoryLength} characters.`,
    text?.trim() === "" && "The file with the text is empty.",
    (values.category ?? "").length > maxCategoryLength &&
      `A category has at most ${maxCategoryLength} characters.`,
    title !== undefined &&
      (title === "" || title.length > maxTitleLength) &&
      `A title has 1 to ${maxTitleLength} characters.`,
    typeof pictures === "string" && pictures,
  ].find((fault) => typeof fault === "string");
  if (unclear !== undefined || typeof pictures === "string") {
    desk.print(String(unclear));
    return 2;
  }
  const clock = () => new Date();
  const taken = new Set(site.readAll(newsFolder).map(({ id: name }) => name));
  const slug = await approveStory(db, { clock, day: calendarDay(clock(), timeZone), taken }, found.one.id, {
    ...{ title, pictures, text: text === undefined ? undefined : plainText(text ?? "").trim() },
    category: plainLine(values.category ?? "") || found.one.category || "Community",
  });
  const url = `${origin}/news/${slug}`;
  desk.answer({ id: found.one.id, state: "approved", slug, url });
  desk.print(`On the site: ${url}`);
  const wordless = pictures.flatMap(({ alt }, index) => (alt === "" ? [index + 1] : []));
  if (wordless.length > 0)
    desk.print(
      `! Who cannot see picture ${wordless.join(" and ")} is told nothing of it. Say what it shows: stories approve ${shortId(found.one.id)} --alt "${wordless[0]}=…"`,
    );
  return 0;
}

/** The pictures to show and their words; a sentence when the numbers are none of theirs. */
function choosePictures(
  pictures: { id: string; alt: string }[],
  wanted: string | undefined,
  words: string[],
) {
  const isNumber = (text: string) => /^[1-9]$/.test(text) && Number(text) <= pictures.length;
  const numbers =
    wanted === undefined
      ? pictures.map((_, index) => String(index + 1))
      : wanted === "none"
        ? []
        : wanted.split(",");
  const alts = new Map(
    words.map((word) => [word.split("=", 1)[0] ?? "", plainLine(word.replace(/^[^=]*=?/, ""))]),
  );
  if (![...numbers, ...alts.keys()].every(isNumber))
    return `The story has ${pictures.length} pictures. Say --pictures 1,2 or --pictures none, and --alt "1=what it shows".`;
  if ([...alts.values()].some((alt) => alt.length > maxAltLength))
    return `The words about a picture have at most ${maxAltLength} characters.`;
  return pictures.flatMap(({ id, alt }, index) => {
    const number = String(index + 1);
    return numbers.includes(number) ? [{ id, alt: alts.get(number) ?? alt }] : [];
  });
}

/** Rejects all the stories that are named, or none of them. */
async function reject(desk: Desk, { positionals }: Words): Promise<number> {
  const asked = positionals.length === 0 ? [undefined] : positionals;
  const found = [];
  // One by one, so that the reasons are printed in the order of the ids.
  for (const id of asked) found.push(await theStory(desk, id));
  const exits = found.flatMap((each) => (each.kind === "none" ? [each.exit] : []));
  if (exits.length > 0) {
    if (asked.length > 1) desk.print("Nothing was rejected.");
    return Math.max(...exits);
  }
  const named = found.flatMap((each) => (each.kind === "one" ? [each.one] : []));
  const stories = [...new Map(named.map((story) => [story.id, story])).values()];
  const isDone = await rejectStories(
    await desk.database(),
    () => new Date(),
    stories.map(({ id }) => id),
  );
  if (!isDone) {
    desk.print("Nothing was rejected: a story was deleted in the meantime. Please try again.");
    return 1;
  }
  const answers = stories.map(({ id }) => ({ id, state: "rejected" }));
  desk.answer(answers.length === 1 ? answers[0] : answers);
  for (const { title } of stories) desk.print(`"${plainLine(title)}" is not on the site.`);
  return 0;
}

async function theStory(desk: Desk, id: string | undefined) {
  const found = id === undefined ? [] : await findStories(await desk.database(), id);
  return onlyOne(desk, found, { asked: id, thing: "story", list: "stories list --all" });
}
