import { stat } from "node:fs/promises";
import { join } from "node:path";
import { showDateAndTime } from "../../../lib/article-dates.ts";
import { formatByZone } from "../../../lib/dates.ts";
import { didYouMean } from "../../../lib/text/nearest.ts";
import { type CommandContext, verb } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { newsFolder } from "../files.server.ts";
import { isPublished, recordFromFile } from "../record.server.ts";
import { createPreviewPath, endPreviewLinks, previewDays } from "./links.server.ts";

const dayAndTime = formatByZone({ dateStyle: "long", timeStyle: "short" });

export const previewVerb = verb({
  summary: `Print a link that shows a draft or a scheduled story for ${previewDays} days.`,
  arguments: {
    id: { required: true, description: "the name of the story's file in news/, without .md" },
  },
  options: {
    new: { type: "flag", description: "end all earlier preview links of this story" },
  },
  run: (args, options, context) => preview(context, args.id, options.new),
});

const endedNote = "All earlier links of this story have stopped working.";

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function preview(
  context: CommandContext,
  typedId: string,
  endsEarlierLinks: boolean,
): Promise<number> {
  const id = typedId.replace(/^(?:.*\/)?news\//, "").replace(/\.md$/, "");
  const site = await context.readSite([siteSettingsFile, newsFolder]);
  const { origin, timeZone } = site.read(siteSettingsFile);
  const files = site.readAll(newsFolder);
  const file = files.find((story) => story.id === id);
  if (!file) {
    const ids = files.map((story) => story.id);
    context.print(
      (await exists(join(context.siteFolder, "news", `${id}.md`)))
        ? `news/${id}.md has a mistake, so it cannot be shown. Run "./newsroom validate" to see it.`
        : `There is no file news/${id}.md${didYouMean(id, ids) || ". Only stories in news/ have previews."}`,
    );
    return 1;
  }
  const now = context.clock();
  const record = recordFromFile(file, timeZone);
  const db = await context.database();
  if (endsEarlierLinks) await endPreviewLinks(db, id);
  if (isPublished(record, now)) {
    const url = `${origin}/news/${id}`;
    context.print(`"${record.title}" is published, so everyone can read it: ${url}`);
    if (endsEarlierLinks) context.print(endedNote);
    context.result({ id, state: "published", url });
    return 0;
  }
  const { path, expiresAt } = await createPreviewPath(db, id, now);
  const url = origin + path;
  const state = record.isDraft ? "draft" : "scheduled";
  const plan = record.isDraft
    ? "It is a draft: remove the line draft: true to publish it."
    : `It will be published on ${showDateAndTime(record.writtenDate, timeZone).text}.`;
  context.print(`Preview of "${record.title}":\n\n  ${url}\n`);
  context.print(plan);
  context.print(
    `Everyone with this link can read it until ${dayAndTime(timeZone).format(expiresAt)}.`,
  );
  context.print(
    endsEarlierLinks
      ? endedNote
      : `To end all earlier links: ./newsroom stories preview ${id} --new`,
  );
  context.result({ id, state, url, expiresAt: expiresAt.toISOString() });
  return 0;
}
