import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { and, asc, eq, gte } from "drizzle-orm";
import { stringify } from "yaml";
import type { Database } from "../../../../db/database.ts";
import { localTimestamp } from "../../../lib/dates.ts";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { storedImagePath } from "../../../lib/images/stored-image.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { fileErrorReason } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { readTimeZone } from "../../brand/command-site.server.ts";
import { type StoryRow, storyImages, storySubmissions } from "../schema.server.ts";

export const exportVerb = verb({
  summary: "Write the published stories of the desk as files, with their images.",
  options: {
    to: {
      type: "string",
      value: "folder",
      required: true,
      description: "an existing folder, such as news/; files that it has already stay as they are",
    },
  },
  async run(context: CommandContext, { to }) {
    const db = await context.database();
    const timeZone = await readTimeZone(context);
    const folder = resolve(context.cwd, to);
    const isFolder = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isFolder) fail(`✗ There is no folder ${folder}, or it cannot be opened.`);
    const stories = await db
      .select()
      .from(storySubmissions)
      .where(and(eq(storySubmissions.writtenBy, "desk"), eq(storySubmissions.state, "approved")))
      .orderBy(asc(storySubmissions.publishedAt));
    const written: string[] = [];
    let existing = 0;
    for (const story of stories)
      for (const [name, content] of await toFiles(db, story, timeZone))
        if (await writeNew(context, folder, name, content)) written.push(name);
        else existing += 1;
    context.result({ stories: stories.length, written });
    for (const name of written) context.print(join(to, name));
    if (existing > 0)
      context.print(
        `${formatCount(existing, "file")} ${existing === 1 ? "exists already and was left as it is" : "exist already and were left as they are"}.`,
      );
    context.print(
      `Wrote ${formatCount(written.length, "file")} of ${formatCount(stories.length, "published story", "published stories")}. To show a file in news/ instead of its story, take the story down at the desk, and publish it again there.`,
    );
    return undefined;
  },
});

/** The Markdown file of a story and its images, by their names. */
async function toFiles(
  db: Database,
  row: StoryRow,
  timeZone: string,
): Promise<Map<string, string | Uint8Array>> {
  const toWritten = (at: Date) => localTimestamp(at, timeZone).slice(0, 16).replace("T", " ");
  const images = await db
    .select()
    .from(storyImages)
    .where(and(eq(storyImages.storyId, row.id), gte(storyImages.position, 0)))
    .orderBy(asc(storyImages.position));
  const names = new Map(
    images.map(({ id }, index) => [id, `${row.slug}${index === 0 ? "" : `-${index + 1}`}.webp`]),
  );
  const main = images.find(({ position }) => position === 0);
  const front = {
    title: row.title,
    excerpt: row.excerpt,
    category: row.category,
    date: toWritten(row.publishedAt ?? row.createdAt),
    ...(row.updatedAt && { updated: toWritten(row.updatedAt) }),
    ...(row.authors.length > 0 && { author: row.authors }),
    ...(row.isPinned && { pinned: true }),
    ...(row.live !== null && { live: row.live }),
    ...(main && {
      image: {
        file: names.get(main.id),
        alt: main.alt,
        ...(main.caption && { caption: main.caption }),
        ...(main.credit && { credit: main.credit }),
      },
    }),
    ...(row.corrections.length > 0 && { corrections: row.corrections }),
  };
  const text = [...names].reduce(
    (markdown, [id, name]) => markdown.replaceAll(storedImagePath(id), name),
    row.text,
  );
  return new Map<string, string | Uint8Array>([
    ...images.map(({ id, bytes }) => [names.get(id) ?? "", bytes] as const),
    [`${row.slug}.md`, `---\n${stringify(front)}---\n\n${text.trim()}\n`],
  ]);
}

/** Writes a file that does not exist yet. Returns false, and changes nothing, if it does. */
async function writeNew(
  context: CommandContext,
  folder: string,
  name: string,
  content: string | Uint8Array,
): Promise<boolean> {
  try {
    await writeFile(join(folder, name), content, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false;
    return fail(`! Could not write ${join(folder, name)}: ${fileErrorReason(error, context)}.`);
  }
}
