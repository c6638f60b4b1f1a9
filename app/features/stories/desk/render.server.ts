import { isShortText } from "../../../lib/text/markdown.server.ts";
import { renderWithoutMarkup } from "../../../lib/text/untrusted-markdown.server.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { renderStoryMarkdown } from "./story-markdown.server.ts";
import { storyTextTask } from "./tasks.server.ts";

/**
 * Renders a long text in a worker, so call it before the transaction that publishes the story,
 * which must not stay open for that long.
 */
export async function renderStoryText(
  { site, runInWorker }: Pick<Services, "site" | "runInWorker">,
  text: string,
): Promise<string> {
  const { origin } = site.read(siteSettingsFile);
  if (isShortText(text)) return renderStoryMarkdown(text, origin);
  const outcome = await runInWorker(storyTextTask, { text, origin });
  return outcome.kind === "done" ? outcome.value : renderWithoutMarkup(text);
}
