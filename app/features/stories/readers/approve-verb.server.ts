import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode } from "../../../lib/error-code.ts";
import { refuse } from "../../../lib/newsroom/command-error.ts";
import { readTextFile, tryFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import { oneOrMany, selectionOptions, selectSubmissions } from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { readCommandSite } from "../../brand/command-site.server.ts";
import { reportAndSendMails } from "../../forms/decisions.server.ts";
import { newsFolder } from "../files.server.ts";
import {
  defaultCategory,
  maxAltLength,
  maxCategoryLength,
  maxStoryLength,
  maxTitleLength,
} from "./model.ts";
import { approveStories, listStoryImages } from "./moderation.server.ts";
import { idArgument, storySubject } from "./verbs.server.ts";

export const approveVerb = verb({
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
  async run(context, { title: typedTitle, category = "", text, images, alt, ...selection }) {
    const db = await context.database();
    const stories = await selectSubmissions(
      context,
      "stories approve",
      selection,
      storySubject(db),
      (count) => `publish ${count}`,
    );
    if (stories.length === 0) return;
    const editsOfOne = { title: typedTitle, text, images, alt: alt[0] };
    const [editOfOne] = Object.entries(editsOfOne).find(([, value]) => value !== undefined) ?? [];
    if (stories.length > 1 && editOfOne !== undefined)
      refuse(`"--${editOfOne}" changes one story. Approve the others with another command.`);
    if (editOfOne !== undefined && stories[0]?.origin === "desk")
      refuse(
        `This story was written at the desk. Edit it at /desk/published/story/${stories[0].slug}.`,
      );
    const story =
      text === undefined
        ? undefined
        : stripControlCharacters(await readTextFile(context, text)).trim();
    if (story !== undefined && story.length > maxStoryLength)
      refuse(`The text is too long. A story can have at most ${maxStoryLength} characters.`);
    if (story === "") refuse("The file with the text is empty.");
    if (category.length > maxCategoryLength)
      refuse(`The category is too long. It can have at most ${maxCategoryLength} characters.`);
    const title = typedTitle === undefined ? undefined : toSafeLine(typedTitle);
    if (title !== undefined && (title === "" || title.length > maxTitleLength))
      refuse(`A title must have 1 to ${maxTitleLength} characters.`);
    const edits = [];
    for (const { id, state, origin, category: earlierCategory } of stories)
      edits.push({
        id,
        state,
        origin,
        title,
        text: story,
        images: chooseImages(await listStoryImages(db, id), images, alt),
        category: toSafeLine(category) || earlierCategory || defaultCategory,
      });
    const { published, senders } = await approveStories(
      db,
      {
        clock: context.clock,
        site: await readCommandSite(context),
        fileNames: await listFileNames(context),
      },
      edits,
    );
    context.result(
      oneOrMany(published.map(({ id, slug, url }) => ({ id, state: "approved", slug, url }))),
    );
    for (const { url } of published) context.print(`Published at ${url}`);
    await reportAndSendMails(context, senders);
    // The desk asks for the descriptions of the images of its own stories.
    for (const edit of edits.filter(({ origin }) => origin === "reader")) {
      const undescribed = edit.images.flatMap((image, index) =>
        image.alt === "" ? [index + 1] : [],
      );
      if (undescribed.length > 0)
        context.print(
          `! No description for image ${undescribed.join(" and ")}. Readers who cannot see it need one. Run: stories approve ${shortenId(edit.id)} --alt "${undescribed[0]}=…"`,
        );
    }
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
  const numbers =
    selection === undefined
      ? images.map((_, index) => String(index + 1))
      : selection === "none"
        ? []
        : selection.split(",").map((number) => number.trim());
  if (!numbers.every((number) => /^[1-9]$/.test(number) && Number(number) <= images.length))
    refuse(
      `The story has ${formatCount(images.length, "image")}. Use for example --images 1 or --images none.`,
    );
  const alts = new Map<string, string>();
  for (const description of descriptions) {
    const [, number = "", text = ""] = /^\s*(\d+)\s*=(.*)$/s.exec(description) ?? [];
    const alt = toSafeLine(text);
    if (!numbers.includes(number) || alt === "" || alt.length > maxAltLength)
      refuse(
        `"--alt ${description}" must be the number of an image that is shown and its description, of at most ${maxAltLength} characters: --alt "1=A cat on a rope".`,
      );
    alts.set(number, alt);
  }
  return images.flatMap(({ id, alt }, index) => {
    const number = String(index + 1);
    return numbers.includes(number) ? [{ id, alt: alts.get(number) ?? alt }] : [];
  });
}
