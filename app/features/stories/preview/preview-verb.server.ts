import { showDateAndTime } from "../../../lib/article-dates.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { didYouMean } from "../../../lib/text/nearest.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readFileNotes } from "../../file-notes/notes.server.ts";
import { newsFolder } from "../files.server.ts";
import { storyPath } from "../model.ts";
import { isPublished, recordFromFile } from "../record.server.ts";
import {
  createPreviewPath,
  endPreviewLinks,
  formatDayAndTime,
  previewDays,
} from "./preview.server.ts";

export const newLinkOption = {
  type: "flag",
  description: "end all earlier preview links of this text",
} as const;

export const previewVerb = verb({
  summary: `Print a link that shows a draft or a scheduled story for ${previewDays} days.`,
  arguments: {
    id: { required: true, description: "the name of the story's file in news/, without .md" },
  },
  options: { new: newLinkOption },
  async run(context, { id: typedId, new: endsEarlierLinks }) {
    const id = typedId.replace(/^(?:.*\/)?news\//, "").replace(/\.md$/, "");
    const site = await context.readSite([siteSettingsFile, newsFolder]);
    const { timeZone } = site.read(siteSettingsFile);
    const files = site.readAll(newsFolder);
    const file = files.find((story) => story.id === id);
    if (!file) {
      const suggestion = didYouMean(
        id,
        files.map((story) => story.id),
      );
      fail(
        `✗ There is no file news/${id}.md, or it has a mistake${suggestion || ': run "./newsroom validate" to see it.'}`,
      );
    }
    const record = recordFromFile(file, timeZone);
    const note = (await readFileNotes(await context.database(), "story")).get(id);
    return printPreview(context, {
      ...record,
      id,
      path: storyPath(id),
      linkId: id,
      isPublished: isPublished(record, context.clock()),
      downAt: note?.isDown ? `/desk/published/story/${id}` : null,
      publishAdvice: "remove the line draft: true to publish it",
      command: `stories preview ${id}`,
      endsEarlierLinks,
    });
  },
});

type PreviewedText = {
  id: string;
  title: string;
  /** The path of the page that readers see. */
  path: string;
  /** The id in the preview link. */
  linkId: string;
  isPublished: boolean;
  isDraft: boolean;
  /** The page of the desk on which editors publish the text again. Null if it is not down. */
  downAt: string | null;
  writtenDate: string;
  publishAdvice: string;
  /** The command that prints the link. */
  command: string;
  endsEarlierLinks: boolean;
};

/** Prints the preview link of a story or a post, or the URL of its page if it is published. */
export async function printPreview(
  context: CommandContext,
  text: PreviewedText,
): Promise<undefined> {
  const { id, title, linkId, isDraft, endsEarlierLinks } = text;
  const { origin, timeZone } = (await context.readSite([siteSettingsFile])).read(siteSettingsFile);
  const db = await context.database();
  if (endsEarlierLinks) {
    await endPreviewLinks(db, linkId);
    context.print("All earlier links of this text have stopped working.");
  }
  if (text.downAt !== null) {
    context.print(
      `"${title}" is taken down, so readers do not see it. Publish it again at ${origin}${text.downAt}`,
    );
    context.result({ id, state: "down" });
    return;
  }
  if (text.isPublished) {
    const url = origin + text.path;
    context.print(`"${title}" is published, so everyone can read it: ${url}`);
    context.result({ id, state: "published", url });
    return;
  }
  const { path, expiresAt } = await createPreviewPath(db, linkId, context.clock());
  const url = origin + path;
  context.print(`Preview of "${title}":\n\n  ${url}\n`);
  context.print(
    isDraft
      ? `It is a draft: ${text.publishAdvice}.`
      : `It will be published on ${showDateAndTime(text.writtenDate, timeZone).text}.`,
  );
  context.print(
    `Everyone with this link can read it until ${formatDayAndTime(timeZone).format(expiresAt)}.`,
  );
  if (!endsEarlierLinks)
    context.print(`To end all earlier links: ./newsroom ${text.command} --new`);
  context.result({
    id,
    state: isDraft ? "draft" : "scheduled",
    url,
    expiresAt: expiresAt.toISOString(),
  });
}
