import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { refuse } from "../../../lib/newsroom/command-error.ts";
import { readTextFile, tryFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import { oneOrMany, selectionOptions, selectSubmissions } from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { readCommandSite } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { defaultCategory, maxAltLength } from "../../stories/readers/model.ts";
import { listStoryImages, type StoryEdit } from "../../stories/readers/moderation.server.ts";
import { idArgument, storySubject } from "../../stories/readers/verbs.server.ts";
import { offerAll, readApproval } from "../waiting/approval.server.ts";
import { decideByCommand } from "../waiting/decide.server.ts";
import { reportAndSendMails } from "./report.server.ts";

export const approveStoryVerb = verb({
  summary:
    "Publish stories, as readers sent them, or one story with the changes in the options. The sender gets an email.",
  arguments: { id: idArgument },
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
  async run(context, { title, category, text: textFile, images, alt, ...selection }) {
    const db = await context.database();
    const stories = await selectSubmissions(
      context,
      "stories approve",
      selection,
      storySubject(db),
      (count) => `publish ${count}`,
    );
    if (stories.length === 0) return;
    const options = { title, text: textFile, images, alt: alt[0], category };
    const [edited] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
    if (stories.length > 1 && edited !== undefined && edited !== "category")
      refuse(`"--${edited}" changes one story. Approve the others with another command.`);
    const ofDesk = stories.find(({ origin }) => origin === "desk");
    if (edited !== undefined && ofDesk)
      refuse(
        `"${toSafeLine(ofDesk.title)}" was written at the desk. Edit it at /desk/published/story/${ofDesk.slug}.`,
      );
    const text =
      textFile === undefined
        ? undefined
        : stripControlCharacters(await readTextFile(context, textFile)).trim();
    const edits = new Map<string, StoryEdit>();
    const problems: string[] = [];
    for (const { id, ...story } of stories.filter(({ origin }) => origin === "reader")) {
      const typed = {
        title: title ?? story.title,
        text: text ?? story.text,
        category: category ?? story.category ?? defaultCategory,
      };
      const read = readApproval(typed, chooseImages(await listStoryImages(db, id), images, alt));
      if (read.kind === "complete") edits.set(id, read.edit);
      else
        problems.push(...Object.values(read.errors).map((error) => `✗ ${shortenId(id)}: ${error}`));
    }
    if (problems.length > 0) refuse([...problems, "Nothing was changed."].join("\n"));
    const site = await readCommandSite(context);
    const { decided, senders } = await decideByCommand(
      { db, clock: context.clock, site, fileNames: await listFileNames(context) },
      stories.map((story) => ({ kind: "story", ...story })),
      { action: "accept", stories: edits },
    );
    const { origin } = site.read(siteSettingsFile);
    const published = decided.map(({ id, state, page = "" }) => ({
      id,
      state,
      slug: basename(page),
      url: origin + page,
    }));
    context.result(oneOrMany(published));
    for (const { url } of published) context.print(`Published at ${url}`);
    await reportAndSendMails(context, senders);
  },
});

/** Lists the same names as `SiteContent.names`, but without reading the files. */
async function listFileNames(context: CommandContext): Promise<string[]> {
  const path = join(context.siteFolder, newsFolder.folder);
  const files = await tryFile(context, { path, action: "read" }, () =>
    readdir(path).catch((error: unknown) => {
      if (hasErrorCode(error, "ENOENT") || hasErrorCode(error, "ENOTDIR")) return [];
      throw error;
    }),
  );
  return files.map((file) => file.replace(/\.md$/, ""));
}

function chooseImages(
  images: { id: string; alt: string }[],
  selection: string | undefined,
  descriptions: string[],
) {
  const offered = offerAll(images);
  const shown =
    selection === undefined
      ? offered.map(({ number }) => `${number}`)
      : selection === "none"
        ? []
        : selection.split(",").map((number) => number.trim());
  if (!shown.every((typed) => offered.some(({ number }) => typed === `${number}`)))
    refuse(
      `The story has ${formatCount(images.length, "image")}. Use for example --images 1 or --images none.`,
    );
  const alts = new Map<string, string>();
  for (const description of descriptions) {
    const [, number = "", text = ""] = /^\s*(\d+)\s*=(.*)$/s.exec(description) ?? [];
    const alt = toSafeLine(text);
    if (!shown.includes(number) || alt === "" || alt.length > maxAltLength)
      refuse(
        `"--alt ${description}" must be the number of an image that is shown and its description, of at most ${maxAltLength} characters: --alt "1=A cat on a rope".`,
      );
    alts.set(number, alt);
  }
  return offered.map(({ id, number, alt }) => ({
    id,
    number,
    alt: alts.get(`${number}`) ?? alt,
    isShown: shown.includes(`${number}`),
  }));
}
