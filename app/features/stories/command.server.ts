import type { Command } from "../../platform/command.ts";
import { exportVerb } from "./desk/export-verb.server.ts";
import { previewVerb } from "./preview/preview-verb.server.ts";
import { approveVerb } from "./readers/approve-verb.server.ts";
import { listVerb, rejectVerb, showVerb } from "./readers/verbs.server.ts";

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
    approve: approveVerb,
    reject: rejectVerb,
    preview: previewVerb,
    export: exportVerb,
  },
};
