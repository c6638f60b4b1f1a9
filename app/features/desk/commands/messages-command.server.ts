import type { Command } from "../../../platform/command.ts";
import { acceptVerb, listVerb, showVerb } from "./submission-verbs.server.ts";

export const messagesCommand: Command = {
  name: "messages",
  group: "Submissions",
  summary: "List and show messages from the contact form, or mark them as done.",
  examples: [
    "messages list",
    "messages list --all",
    "messages show 3f9a1c2b",
    "messages done 3f9a1c2b 77d0e4aa",
    "messages done --all",
  ],
  verbs: {
    list: listVerb("message"),
    show: showVerb("message"),
    done: acceptVerb("message", "done", "Mark messages as done."),
  },
};
