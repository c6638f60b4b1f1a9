import { decodeHTML } from "entities";

export type Link = {
  text: string;
  href: string;
  target: string | undefined;
  rel: string | undefined;
  isCurrent: boolean;
};

/** Returns the text of a piece of HTML as a reader sees it, without tags and comments. */
export const readText = (html: string): string =>
  decodeHTML(html.replaceAll(/<!--.*?-->|<[^>]*>/gs, "")).trim();

/** Returns the HTML of all elements with this name. Elements of the same name must not be nested. */
export const findElements = (html: string, name: string): string[] =>
  html.match(new RegExp(`<${name}\\b.*?</${name}>`, "gs")) ?? [];

/** Returns the text of all elements with this name. */
export const readTexts = (html: string, name: string): string[] =>
  findElements(html, name).map(readText);

/** Returns the first element whose start tag or content matches, or fails. */
export function findElement(html: string, name: string, pattern: RegExp | string = ""): string {
  const element = findElements(html, name).find((each) => each.search(pattern) >= 0);
  if (element === undefined) throw new Error(`The page has no <${name}> with ${pattern}.`);
  return element;
}

/** Returns the value of an attribute of the first tag in the HTML. */
export function readAttribute(html: string, name: string): string | undefined {
  const [, value] = new RegExp(`^<[^>]*\\s${name}="([^"]*)"`, "i").exec(html) ?? [];
  return value === undefined ? undefined : decodeHTML(value);
}

/** Returns all links in the order of the page. The name for screen readers is part of the text. */
export const readLinks = (html: string): Link[] =>
  findElements(html, "a").map((link) => ({
    text: readAttribute(link, "aria-label") ?? readText(link),
    href: readAttribute(link, "href") ?? "",
    target: readAttribute(link, "target"),
    rel: readAttribute(link, "rel"),
    isCurrent: readAttribute(link, "aria-current") !== undefined,
  }));

/** Returns the content of a meta tag by its name or property. */
export const readMeta = (html: string, name: string): string | undefined =>
  (html.match(/<meta [^>]*>/g) ?? [])
    .filter((tag) => [readAttribute(tag, "name"), readAttribute(tag, "property")].includes(name))
    .map((tag) => readAttribute(tag, "content"))[0];

/** Returns the structured data for search engines. */
export const readStructuredData = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].map(
    ([, json = ""]) => JSON.parse(json),
  );
