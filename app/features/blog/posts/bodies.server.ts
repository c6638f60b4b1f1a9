import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { errorFields } from "../../../lib/log.ts";
import { textToHtml } from "../../../lib/text/html.ts";
import { isQuickToParse } from "../../../lib/text/markdown-limits.server.ts";
import { renderUntrusted } from "../../../lib/text/untrusted-markdown.server.ts";
import type { Services } from "../../../platform/services.ts";
import { imagePathWith } from "./image-url.server.ts";
import { imageKey } from "./images.server.ts";
import { renderInWorker } from "./worker-task.server.ts";

type BodyServices = Pick<Services, "db" | "log" | "runInWorker">;

/** Rendered texts by the hash of what they were made from. */
const renderedPosts = new LRUCache<string, string>({
  max: 300,
  maxSize: 8_000_000,
  sizeCalculation: (html, key) => key.length + html.length,
});
/** Readers who open a post at the same moment wait for one rendering. */
const rendering = createInFlight<string>();

/**
 * The HTML of a post's text. A text that cannot be rendered in time is shown as it was written, in
 * paragraphs.
 */
export async function bodyHtml(
  services: BodyServices,
  slug: string,
  text: string,
  origin: string,
): Promise<string> {
  const key = createHash("sha256").update(`${origin}\n${text}`).digest("base64");
  return (
    renderedPosts.get(key) ?? rendering.share(key, () => render(services, slug, key, text, origin))
  );
}

async function render(
  { db, log, runInWorker }: BodyServices,
  slug: string,
  key: string,
  text: string,
  origin: string,
): Promise<string> {
  try {
    const pictures = await imageKey(db);
    // That is nearly every post: a reader would wait longer for the worker to start than for the
    // text.
    const html = isQuickToParse(text)
      ? renderUntrusted(text, { origin, toImagePath: imagePathWith(pictures, origin) })
      : await renderInWorker(runInWorker, { text, origin, imageKey: pictures });
    if (html === null)
      log.warn("blog.not_rendered", { slug, detail: "took too long or too much memory" });
    // The plain paragraphs are kept too: the next reader of such a text must not wait for it again.
    const shown = html ?? textToHtml(text);
    renderedPosts.set(key, shown);
    return shown;
  } catch (error) {
    log.error("blog.not_rendered", { slug, ...errorFields(error) });
    return textToHtml(text);
  }
}
