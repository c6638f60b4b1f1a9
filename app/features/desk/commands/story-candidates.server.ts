import { join } from "node:path";
import type { Database } from "../../../../db/database.ts";
import { shortenId } from "../../../lib/newsroom/printing.ts";
import { minIdLength, type SubmissionCandidates } from "../../../lib/newsroom/selection.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { CommandContext } from "../../../platform/command.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { findStories, listStories } from "../../stories/readers/moderation.server.ts";
import type { StoryRow } from "../../stories/schema.server.ts";
import { itemPath } from "../published/model.ts";

export const storyIdArgument = {
  repeated: true,
  description: `at least ${minIdLength} characters of the id that "stories list --all" shows, or the slug of the story, as in /news/<slug>`,
} as const;

/** The stories that readers sent, and those of the desk. Those of files have another answer. */
export const storyCandidates = (
  context: CommandContext,
  db: Database,
): SubmissionCandidates<StoryRow> => ({
  noun: "story",
  nouns: "stories",
  listCommand: "stories list --all",
  label: ({ title, state }: StoryRow) => `${toSafeLine(title).slice(0, 60)} (${state})`,
  shorten: shortenId,
  find: (typed: string) => findStories(db, typed),
  async explainMissing(typed: string) {
    const site = await context.readSite([newsFolder]);
    if (!site.names(newsFolder).includes(typed)) return null;
    const file = join(context.siteFolder, newsFolder.folder, `${typed}.md`);
    return `✗ "${typed}" is the file ${file}. Edit it, or take it down at the desk: ${itemPath("story", typed)}.`;
  },
  listWaiting: () => listStories(db, ["waiting"]),
});
