import { createHmac } from "node:crypto";
import { ownPath } from "../../../lib/links/own-path.ts";
import type { ToImagePath } from "../../../lib/text/untrusted-markdown.server.ts";
import { safeUrl } from "../model.ts";

const folder = "/blog/picture/";
const maxLinkLength = 1_000;

/**
 * Gives every picture an address of our own. One on our domain keeps its path. One from elsewhere
 * gets an address that holds the link and our signature: only links that stood in a post were ever
 * signed, so we fetch nothing else.
 */
export function imagePathWith(key: Uint8Array, origin: string): ToImagePath {
  return (link) => {
    const address = safeUrl(link);
    const url = address === null ? null : URL.parse(address);
    if (!url || url.href.length > maxLinkLength) return null;
    if (url.host === new URL(origin).host)
      return ownPath({ pathname: url.pathname, search: url.search, hash: "" });
    const name = Buffer.from(url.href).toString("base64url");
    return `${folder}${signName(key, name)}/${name}`;
  };
}

export const signName = (key: Uint8Array, name: string) =>
  createHmac("sha256", key).update(name).digest("base64url").slice(0, 22);
