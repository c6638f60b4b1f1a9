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
import { createImagePathMapper } from "./image-paths.server.ts";
import { loadImageKey } from "./images.server.ts";
import type { Post } from "./post.ts";
import { type PostText, renderInWorker } from "./worker-task.server.ts";

type PostBody = Pick<Post, "slug" | "blog" | "isFile">;

/** The HTML of posts, by the hash of the text and the image key it was rendered from. */
const renderedPosts = new LRUCache<string, string>({
  max: 300,
  maxSize: 8_000_000,
  sizeCalculation: (html, hash) => hash.length + html.length,
});
/** Readers who open a post at the same moment share one rendering. */
const pendingRenderings = createInFlight<string>();

/** How much of a text the server's own thread strips if no worker thread can. */
const maxStrippedCharacters = 20_000;

/** Returns a post's text as HTML: without its markup if it cannot be rendered in time. */
export async function bodyHtml(
  services: Pick<Services, "db" | "log" | "runInWorker">,
  post: PostBody,
  origin: string,
): Promise<string> {
  try {
    const imageKey = await loadImageKey(services.db);
    const text = { text: post.blog, origin, imageKey };
    const hash = createHash("sha256")
      .update(imageKey)
      .update(`${origin}\n${post.blog}`)
      .digest("base64");
    const render = () => renderBody(services, post, text, hash);
    return renderedPosts.get(hash) ?? (await pendingRenderings.share(hash, render));
  } catch (error) {
    services.log.error("blog.not_rendered", { slug: post.slug, ...errorFields(error) });
    return stripHere(post.blog);
  }
}

async function renderBody(
  { log, runInWorker }: Pick<Services, "log" | "runInWorker">,
  { slug, isFile }: PostBody,
  { text, origin, imageKey }: PostText,
  hash: string,
): Promise<string> {
  // Most posts of the newsroom are short. Starting the worker would take longer than rendering one
  // of them. Any other post is rendered in the worker, because a hostile text may take much longer
  // than it seems.
  const toImagePath = createImagePathMapper(imageKey, origin);
  const rendered =
    isFile && isShortText(text)
      ? { html: renderUntrusted(text, { origin, toImagePath }), isStripped: false }
      : await renderInWorker(runInWorker, { text, origin, imageKey });
  if (rendered === null || rendered.isStripped)
    log.warn("blog.not_rendered", { slug, detail: "took too long or too much memory" });
  if (rendered === null) return stripHere(text);
  // The stripped text is cached too, so that the next reader does not wait again.
  renderedPosts.set(hash, rendered.html);
  return rendered.html;
}

const stripHere = (text: string) => renderWithoutMarkup(text.slice(0, maxStrippedCharacters));
