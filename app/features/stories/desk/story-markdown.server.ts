import { renderMarkdown } from "../../../lib/text/markdown.server.ts";
import { renderWithoutMarkup } from "../../../lib/text/untrusted-markdown.server.ts";

/** Renders the Markdown of a story. A text that is too deeply nested is shown without its markup. */
export function renderStoryMarkdown(text: string, origin: string): string {
  try {
    return renderMarkdown(text, origin).html;
  } catch (error) {
    if (error instanceof RangeError) return renderWithoutMarkup(text);
    throw error;
  }
}
