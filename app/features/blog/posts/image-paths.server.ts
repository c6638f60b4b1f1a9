import { createHmac } from "node:crypto";
import { ownPath } from "../../../lib/links/own-path.ts";
import type { ToImagePath } from "../../../lib/text/untrusted-markdown.server.ts";
import { safeUrl } from "../contract.ts";

const folder = "/blog/picture/";
const maxUrlLength = 1_000;

/**
 * Returns a function that gives every image a path on our own server. The path of an external image
 * contains its URL and our signature. We sign only URLs that appear in posts, so the server fetches
 * no others.
 */
export function createImagePathMapper(key: Uint8Array, origin: string): ToImagePath {
  return (link) => {
    const safe = safeUrl(link);
    const url = safe === null ? null : URL.parse(safe);
    if (!url || url.href.length > maxUrlLength) return null;
    if (url.host === new URL(origin).host)
      return ownPath({ pathname: url.pathname, search: url.search, hash: "" });
    const name = Buffer.from(url.href).toString("base64url");
    return `${folder}${signName(key, name)}/${name}`;
  };
}

export const signName = (key: Uint8Array, name: string) =>
  createHmac("sha256", key).update(name).digest("base64url").slice(0, 22);

export const readImageName = (name: string) => Buffer.from(name, "base64url").toString("utf8");

/** Gives the external images of a rendered text their own URLs again. */
export const restoreImageUrls = (html: string): string =>
  html.replace(/(?<= src=")\/blog\/picture\/[\w-]+\/([\w-]+)/g, (_, name) => readImageName(name));
