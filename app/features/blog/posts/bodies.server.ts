import { createHash } from "node:crypto";
import { errorFields } from "../../../lib/log.ts";
import { plainParagraphs } from "../../../lib/text/html.ts";
import { isShort } from "../../../lib/text/tame-markdown.server.ts";
import { renderUntrusted } from "../../../lib/text/untrusted-markdown.server.ts";
import type { Services } from "../../../platform/services.ts";
import { renderOutside } from "./outside.server.ts";
import { pictureAddressWith } from "./picture-address.server.ts";
import { pictureKey } from "./pictures.server.ts";

type BodyServices = Pick<Services, "db" | "log" | "outside">;

const maxKept = 300;
const maxKeptCharacters = 8_000_000;
/** Rendered texts by the hash of what they were made from, the latest last. */
const kept = new Map<string, string>();
let keptCharacters = 0;
/** Readers who open a post at the same moment wait for one rendering. */
const underWay = new Map<string, Promise<string>>();

/** The HTML of a post's text. A text that cannot be rendered in time is shown as it was written, in paragraphs. */
export function bodyHtml(
  services: BodyServices,
  slug: string,
  text: string,
  origin: string,
): Promise<string> {
  const key = createHash("sha256").update(`${origin}\n${text}`).digest("base64");
  const known = kept.get(key);
  if (known !== undefined) {
    keep(key, known);
    return Promise.resolve(known);
  }
  const begun = underWay.get(key);
  if (begun) return begun;
  const rendering = render(services, slug, key, text, origin).finally(() => underWay.delete(key));
  underWay.set(key, rendering);
  return rendering;
}

async function render(
  { db, log, outside }: BodyServices,
  slug: string,
  key: string,
  text: string,
  origin: string,
): Promise<string> {
  try {
    const pictures = await pictureKey(db);
    // That is nearly every post: a reader would wait longer for the worker to start than for the text.
    const html = isShort(text)
      ? renderUntrusted(text, { origin, pictureAddress: pictureAddressWith(pictures, origin) })
      : await renderOutside(outside, { text, origin, pictureKey: pictures });
    if (html === null) log.warn("blog.not_rendered", { slug, detail: "took too long or too much memory" });
    // The plain paragraphs are kept too: the next reader of such a text must not wait for it again.
    return keep(key, html ?? plainParagraphs(text));
  } catch (error) {
    log.error("blog.not_rendered", { slug, ...errorFields(error) });
    return plainParagraphs(text);
  }
}

function keep(key: string, html: string): string {
  forget(key);
  kept.set(key, html);
  keptCharacters += html.length;
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept && keptCharacters <= maxKeptCharacters) break;
    forget(oldest);
  }
  return html;
}

function forget(key: string): void {
  keptCharacters -= kept.get(key)?.length ?? 0;
  kept.delete(key);
}
