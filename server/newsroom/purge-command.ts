import { type Command, noVerb, verb } from "../../app/platform/command.ts";
import { everyTag, sendPurge } from "../../db/purge.ts";

export const purgeCommand: Command = {
  name: "purge",
  group: "Content",
  summary: "Drop all cached pages on every node, so that they are rendered again.",
  examples: ["purge"],
  verbs: {
    [noVerb]: verb({
      async run(context) {
        await sendPurge(await context.database(), [everyTag]);
        context.print("✓ Purged all pages. Each one is rendered again at its next request.");
        return undefined;
      },
    }),
  },
};
