import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { readTextFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount, shortenId } from "../../../lib/newsroom/printing.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { verb } from "../../../platform/command.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import type { StoryEdit } from "../../stories/readers/moderation.server.ts";
import { numberImages, readApproval } from "../waiting/approval.server.ts";
import { decideAndReport, wasDecided } from "./decide-by-command.server.ts";
import {
  idArgument,
  openSubmissions,
  selectItems,
  selectionOptions,
} from "./submission-verbs.server.ts";

export const approveStoryVerb = verb({
  summary:
    "Publish stories, as readers sent them or with the changes in the options, most of which are for one story. The sender gets an email.",
  arguments: { id: idArgument("story") },
  options: {
    title: { type: "string", value: "title", description: "a new title" },
    category: {
      type: "string",
      value: "category",
      description: "a category of the city's sections",
    },
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
    const services = await openSubmissions(context, [sectionsFile, newsFolder]);
    const { site } = services;
    const stories = await selectItems(context, services.db, "story", "approve", selection);
    if (stories.length === 0) return;
    const options = Object.entries({ title, text: textFile, images, alt: alt[0] });
    const [ofOne] = options.find(([, value]) => value !== undefined) ?? [];
    if (stories.length > 1 && ofOne)
      refuseCommand(`"--${ofOne}" changes one story. Approve the others with another command.`);
    const isEdited = ofOne !== undefined || category !== undefined;
    const ofDesk = stories.find(({ writtenBy }) => writtenBy === "desk");
    if (isEdited && ofDesk)
      refuseCommand(
        `"${toSafeLine(ofDesk.title)}" was written at the desk. Edit it at /desk/published/story/${ofDesk.slug}.`,
      );
    const text = textFile === undefined ? undefined : await readTextFile(context, textFile);
    const edits = new Map<string, StoryEdit>();
    const problems: string[] = [];
    for (const story of stories) {
      const { id } = story;
      if (story.writtenBy === "desk" || (wasDecided(story, "accept") && !isEdited)) continue;
      const shown = chooseImages(story.images, images, alt);
      const { edit, errors } = readApproval(site, story, { title, text, category }, shown);
      if (edit) edits.set(id, edit);
      problems.push(...Object.values(errors).map((error) => `✗ ${shortenId(id)}: ${error}`));
    }
    if (problems.length > 0) {
      const needsAlt = problems.some((problem) => problem.endsWith("needs a description."));
      const hint = needsAlt ? ['Add for example --alt "1=A cat on a rope".'] : [];
      refuseCommand([...problems, ...hint, "Nothing was changed."].join("\n"));
    }
    await decideAndReport(context, services, stories, { action: "accept", storyEdits: edits });
  },
});

/** The images to show, with the descriptions that were typed for them. */
function chooseImages(
  images: { id: string; alt: string }[],
  selection: string | undefined,
  descriptions: string[],
) {
  const all = numberImages(images);
  const typed = selection?.split(",").map((number) => number.trim());
  const numbers = selection === "none" ? [] : (typed ?? all.map(({ number }) => `${number}`));
  const shown = all.filter(({ number }) => numbers.includes(`${number}`));
  if (shown.length < new Set(numbers).size)
    refuseCommand(
      `The story has ${formatCount(images.length, "image")}. Use for example --images 1 or --images none.`,
    );
  for (const description of descriptions) {
    const [, number = "", text = ""] = /^\s*(\d+)\s*=(.*)$/s.exec(description) ?? [];
    const image = shown.find((each) => number === `${each.number}`);
    if (!image)
      refuseCommand(
        `"--alt ${description}" must be the number of an image that is shown and its description: --alt "1=A cat on a rope".`,
      );
    image.alt = text;
  }
  return shown;
}
