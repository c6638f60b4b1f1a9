import { carryEdition, editionParam, type IsPage } from "./edition.ts";
import { type Attributes, type Piece, readMarkup, writeTag } from "./markup.server.ts";

type Choice = Parameters<typeof carryEdition>[1];
type StartTag = Extract<Piece, { kind: "start" }>;

/**
 * Adds the edition to the link or form that a tag begins. Returns null if the tag does not lead to
 * one of our pages.
 */
export function carryInTag(
  { name, attributes }: Pick<StartTag, "name" | "attributes">,
  edition: Choice,
  isPage: IsPage,
): { attributes: Attributes; content: string } | null {
  const attribute = { a: "href", form: "action" }[name];
  if (attribute === undefined) return null;
  const href = attributes.get(attribute);
  const isGetForm = name === "form" && attributes.get("method")?.toLowerCase() !== "post";
  const carried = href === undefined ? undefined : carryEdition(href, edition, isPage);
  if (carried === href && !(isGetForm && href === undefined)) return null;
  // Browsers replace the query of a form's URL with the fields of the form.
  if (isGetForm) {
    const field = new Map([
      ["type", "hidden"],
      ["name", editionParam],
      ["value", edition],
    ]);
    return { attributes, content: writeTag("input", field) };
  }
  return { attributes: new Map(attributes).set(attribute, carried ?? ""), content: "" };
}

/**
 * Adds the edition to the links and forms of a page. React can still hydrate the result: it does
 * not compare attributes, and it skips hidden fields that it does not know.
 */
export function carryInPage(markup: string, edition: Choice, isPage: IsPage): string {
  let html = "";
  for (const piece of readMarkup(markup)) {
    const carried = piece.kind === "start" ? carryInTag(piece, edition, isPage) : null;
    html +=
      carried && piece.kind === "start"
        ? writeTag(piece.name, carried.attributes) + carried.content
        : piece.source;
  }
  return html;
}
