import type { Element } from "hast";
import { newTabNote } from "./external-links.ts";
import { ownPath } from "./own-path.ts";

/** Stands in for an origin that is not known, so that paths can be told from whole URLs. */
const someOrigin = "https://own.invalid";

/**
 * Prepares a link inside a text. One to another site opens a new tab, because leaving the page
 * would stop the radio, and says so. One to our own origin becomes a path, so it works wherever the
 * site runs. All others stay as they are.
 */
export function adaptLink({ properties, children }: Element, origin = someOrigin): void {
  const href = String(properties.href ?? "");
  const url = URL.parse(href, origin);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return;
  if (url.origin === origin) {
    if (URL.canParse(href) || url.pathname.startsWith("//")) properties.href = ownPath(url);
    return;
  }
  properties.target = "_blank";
  properties.rel = ["noopener"];
  children.push({
    type: "element",
    tagName: "span",
    properties: { className: ["sr-only"] },
    children: [{ type: "text", value: newTabNote }],
  });
}
