import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { errorFields } from "../../../lib/log.ts";
import { isShortText } from "../../../lib/text/markdown.server.ts";
import {
  renderUntrusted,
  renderWithoutMarkup,
} from "../../../lib/text/untrusted-markdown.server.ts";
import type { Services } from "../../../platform/services.ts";
import { type PostText, postTask } from "../tasks.server.ts";
import { createImagePathMapper } from "./image-paths.server.ts";
import { loadImageKey } from "./images.server.ts";
import type { Post } from "./post.ts";

type RenderedPost = Pick<Post, "slug" | "blog" | "isFile">;

/** The HTML of posts, by the hash of the text and the image key it was rendered from. */
const renderedPosts = new LRUCache<string, string>({
  max: 300,
  maxSize: 8_000_000,
  sizeCalculation: (html, hash) => hash.length + html.length,
});
const pendingRenderings = createInFlight<string>();

/** Removing the markup of this many characters takes less than 30 ms, whatever they are. */
const maxStrippedCharacters = 100_000;

/** Returns a post's text as HTML: without its markup if it cannot be rendered in time. */
export async function renderPost(
  services: Pick<Services, "db" | "log" | "runInWorker">,
  post: RenderedPost,
  origin: string,
): Promise<string> {
  try {
    const imageKey = await loadImageKey(services.db);
    const text = { text: post.blog, origin, imageKey };
    const hash = createHash("sha256")
      .update(imageKey)
      .update(`${origin}\n${post.blog}`)
      .digest("base64");
    const render = () => renderText(services, post, text, hash);
    return renderedPosts.get(hash) ?? (await pendingRenderings.share(hash, render));
  } catch (error) {
    services.log.error("blog.not_rendered", { slug: post.slug, ...errorFields(error) });
    return withoutMarkup(post.blog);
  }
}

async function renderText(
  { log, runInWorker }: Pick<Services, "log" | "runInWorker">,
  { slug, isFile }: RenderedPost,
  input: PostText,
  hash: string,
): Promise<string> {
  const { text, origin, imageKey } = input;
  // Starting the worker takes longer than rendering a short post of the newsroom. Any other text
  // may be hostile, so it is rendered in the worker.
  const toImagePath = createImagePathMapper(imageKey, origin);
  const outcome =
    isFile && isShortText(text)
      ? { kind: "done" as const, value: renderUntrusted(text, { origin, toImagePath }) }
      : await runInWorker(postTask, input);
  if (outcome.kind !== "done")
    log.warn("blog.not_rendered", { slug, detail: "took too long or too much memory" });
  // The text without its markup is cached too, so that the next reader does not wait again.
  const html = outcome.kind === "done" ? outcome.value : withoutMarkup(text);
  renderedPosts.set(hash, html);
  return html;
}

export const withoutMarkup = (text: string) =>
  renderWithoutMarkup(text.slice(0, maxStrippedCharacters));
