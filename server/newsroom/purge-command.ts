import { type Command, type CommandContext, noVerb, verb } from "../../app/platform/command.ts";
import { isCacheTag } from "../../app/platform/tags.ts";
import { everyPage, purge } from "../../db/purge.ts";

export const purgeCommand: Command = {
  name: "purge",
  group: "Content",
  summary:
    "Has pages rendered again on every node: all of them, or those with a tag such as page:/about.",
  examples: ["purge", "purge page:/about"],
  verbs: {
    [noVerb]: verb({
      arguments: {
        tag: { repeated: true, description: "page:/about for that page; all pages without a tag" },
      },
      run: ({ tag }, _options, context) => purgePages(context, tag),
    }),
  },
};

async function purgePages(context: CommandContext, tags: string[]): Promise<number> {
  const wrong = tags.find((tag) => !isCacheTag(tag));
  if (wrong !== undefined) {
    context.print(
      `No page has the tag "${wrong}". Name a page as page:/about, or leave it out for all pages.`,
    );
    return 2;
  }
  await purge(await context.database(), tags.length === 0 ? [everyPage] : tags);
  context.result({ tags: tags.length === 0 ? [everyPage] : tags });
  context.print(
    tags.length === 0
      ? "✓ Every page is rendered again."
      : `✓ Rendered again: pages with ${tags.join(", ")}.`,
  );
  return 0;
}
