import { isCacheTag } from "../../app/platform/tags.ts";
import { everyPage, purge } from "../../db/purge.ts";
import type { Command } from "./commands.ts";

export const purgeCommand: Command = {
  name: "purge",
  summary: "Has pages made anew on every node: all of them, or those with a tag such as page:/about.",
  usage: "purge [tag …]",
  examples: ["purge", "purge page:/about"],
  async run(tags, desk) {
    const wrong = tags.find((tag) => !isCacheTag(tag));
    if (wrong !== undefined) {
      desk.print(
        `No page has the tag "${wrong}". Name a page as page:/about, or leave it out for all pages.`,
      );
      return 2;
    }
    await purge(await desk.database(), tags.length === 0 ? [everyPage] : tags);
    desk.answer({ tags: tags.length === 0 ? [everyPage] : tags });
    desk.print(
      tags.length === 0 ? "✓ Every page is made anew." : `✓ Made anew: pages with ${tags.join(", ")}.`,
    );
    return 0;
  },
};
