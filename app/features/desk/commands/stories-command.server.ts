import { oneOrMany, selectionOptions, selectSubmissions } from "../../../lib/newsroom/selection.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, verb } from "../../../platform/command.ts";
import { readCommandSite } from "../../brand/command-site.server.ts";
import { exportVerb } from "../../stories/desk/export-verb.server.ts";
import { previewVerb } from "../../stories/preview/preview-verb.server.ts";
import {
  idArgument,
  listVerb,
  showVerb,
  storySubject,
} from "../../stories/readers/verbs.server.ts";
import { approveStoryVerb } from "./approve-story-verb.server.ts";
import { decideByCommand } from "./decide-by-command.server.ts";
import { reasonOption, refuseEmptyReason, reportDecision } from "./report.server.ts";

const rejectVerb = verb({
  summary: "Reject stories, and remove them from the site if they were approved.",
  arguments: { id: idArgument },
  options: { reason: reasonOption, ...selectionOptions },
  async run(context, { reason, ...selection }) {
    refuseEmptyReason(reason);
    const db = await context.database();
    const stories = await selectSubmissions(
      context,
      "stories reject",
      selection,
      storySubject(context, db),
      (count) => `reject ${count}`,
    );
    if (stories.length === 0) return;
    const outcome = await decideByCommand(
      { db, clock: context.clock, site: await readCommandSite(context) },
      stories.map((story) => ({ kind: "story", ...story })),
      { action: "reject", reason },
    );
    context.result(oneOrMany(outcome.decided));
    for (const { id, title, state } of stories)
      context.print(
        state === "approved"
          ? `Removed "${toSafeLine(title)}" from the site.`
          : outcome.unchanged.has(id)
            ? `"${toSafeLine(title)}" is already ${state === "down" ? "taken down" : "rejected"}.`
            : `Rejected "${toSafeLine(title)}".`,
      );
    reportDecision(context, outcome, reason);
  },
});

/**
 * The command is in the folder of the desk, because a decision by command also changes what the desk
 * stores: decisions that can be undone, drafts, versions and the log. It needs no editors, so it also
 * works in a city without a desk.
 */
export const storiesCommand: Command = {
  name: "stories",
  group: "Submissions",
  summary:
    "List, show, approve or reject stories that readers sent; preview drafts of the newsroom; write stories of the desk as files.",
  examples: [
    "stories list",
    "stories show 3f9a1c2b --to ~/Desktop",
    "stories approve 3f9a1c2b",
    'stories approve 3f9a1c2b --title "The Cat of Pier 5" --category Neighborhoods --text story.txt',
    'stories approve 3f9a1c2b --images 1,3 --alt "1=A cat on a rope" --alt "3=The pier at noon"',
    "stories approve 3f9a1c2b --images none",
    "stories approve 3f9a1c2b 77d0e4aa 0c51be20",
    "stories reject 3f9a1c2b",
    'stories reject 3f9a1c2b --reason "We do not publish poems."',
    "stories reject --all",
    "stories preview harbor-fire",
    "stories preview harbor-fire --new",
    "stories export --to sites/my-city/news/",
  ],
  verbs: {
    list: listVerb,
    show: showVerb,
    approve: approveStoryVerb,
    reject: rejectVerb,
    preview: previewVerb,
    export: exportVerb,
  },
};
