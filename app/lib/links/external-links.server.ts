import type { Element } from "hast";
import { newTabNote } from "./external-links.ts";
import { ownPath } from "./own-path.ts";

/** Stands for the site's origin if it is not known, to distinguish paths from full URLs. */
const placeholderOrigin = "https://own.invalid";

/**
 * Adapts a link in HTML. A link to another site opens a new tab, because leaving the page would
 * stop the radio. A link to our origin becomes a path, so that it works wherever the site runs.
 */
export function adaptLink({ properties, children }: Element, origin = placeholderOrigin): void {
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
