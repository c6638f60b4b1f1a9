import type { SourceText } from "../../../lib/text/plain-text.server.ts";
import type { OutsideTask } from "../../../platform/outside.ts";

/** The words of each text, in the same order. */
export const textsTask: OutsideTask<SourceText[], string[]> = {
  name: "texts",
  lane: "documents",
  deadlineMs: 2_000,
};
