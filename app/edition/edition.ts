/** The query parameter with which a reader chooses an edition. Every page has it. */
export const editionParam = "edition";

const choices = ["light", "full"] as const;
type Choice = (typeof choices)[number];

/**
 * Which form of a page a reader gets:
 * - "ordinary": the page as it is.
 * - "light": the low-data edition, without images and scripts.
 * - "full": the ordinary page for a reader whose browser asks for little data (Save-Data), but who
 *   chose the full edition. Its links carry that choice; otherwise the next page would be light.
 */
export type Edition = "ordinary" | Choice;

export function chooseEdition(params: URLSearchParams, saveData: string | undefined): Edition {
  const wantsLittleData = saveData?.trim().toLowerCase() === "on";
  const choice = findChoice(params);
  if (choice === "full") return wantsLittleData ? "full" : "ordinary";
  return choice ?? (wantsLittleData ? "light" : "ordinary");
}

/** Returns the edition that the URL of a page names. Unknown values are ignored. */
export const findChoice = (params: URLSearchParams): Choice | undefined =>
  choices.find((name) => name === params.get(editionParam));

/** Returns a relative link to the same page, with the same filters, in another edition. */
export function linkToEdition(search: string, edition: Choice): string {
  const params = new URLSearchParams(search);
  params.set(editionParam, edition);
  return `?${params}`;
}

/** Returns whether a path leads to a page, not to a file such as a feed or an image. */
export type IsPage = (path: string) => boolean;

/** Adds the edition to a link to one of our own pages, unless the link already names an edition. */
export function carryEdition(href: string, edition: Choice, isPage: IsPage): string {
  if (!/^(?:\/(?![/\\])|\?)/.test(href)) return href;
  const [target, fragment] = splitAt(href, "#");
  const [path, query] = splitAt(target, "?");
  if (path !== "" && !isPage(path)) return href;
  if (new URLSearchParams(query).has(editionParam)) return href;
  return `${path}${query === "" ? "?" : `${query}&`}${editionParam}=${edition}${fragment}`;
}

/** Splits a text before the first separator, which stays at the beginning of the second part. */
function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}
