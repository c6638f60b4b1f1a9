import { refuseCommand } from "../../app/lib/newsroom/command-error.ts";
import { didYouMean } from "../../app/lib/text/nearest.ts";
import { type Command, noVerb, verb } from "../../app/platform/command.ts";
import { isCacheTag } from "../../app/platform/tags.ts";
import { everyTag, sendPurge } from "../../db/purge.ts";
import type { RouteTable } from "../pages/route-table.ts";

export const createPurgeCommand = ({ find, paths }: RouteTable): Command => ({
  name: "purge",
  group: "Content",
  summary:
    "Drop cached pages on every node, so that they are rendered again: all pages, or those with a tag.",
  examples: ["purge", "purge page:/about"],
  verbs: {
    [noVerb]: verb({
      arguments: {
        tag: {
          repeated: true,
          description: "the tag of the pages, such as page:/about; all pages if omitted",
        },
      },
      async run(context, { tag: typed }) {
        const unknown = typed.find((tag) => !isCacheTag(tag));
        if (unknown !== undefined)
          refuseCommand(
            `"${unknown}" is not a valid tag. Use a tag such as page:/about, or no tag to purge all pages.`,
          );
        const pages = typed.flatMap((tag) => /^page:(.+)/.exec(tag)?.[1] ?? []);
        const missing = pages.find((path) => find(path) === null);
        if (missing !== undefined)
          refuseCommand(`There is no page ${missing}${didYouMean(missing, paths) || "."}`);
        const tags = typed.length === 0 ? [everyTag] : typed;
        await sendPurge(await context.database(), tags);
        context.result({ tags });
        context.print(
          typed.length === 0
            ? "✓ Purged all pages. Each one is rendered again at its next request."
            : `✓ Purged the pages with the tag ${tags.join(" or ")}. They are rendered again at their next request.`,
        );
      },
    }),
  },
});
