import { hashSource } from "../lib/http/csp.server.ts";
import { type Palette, paint } from "../lib/look/palette.ts";
import { escapeHtml } from "../lib/text/html.ts";
import { carryInTag } from "./carry-edition.server.ts";
import { carryEdition, editionParam, type IsPage, linkToEdition } from "./edition.ts";
import compiledStyles from "./light.css?inline";
import { type Attributes, type Piece, readMarkup, writeTag } from "./markup.server.ts";

type Options = {
  /**
   * The query of the page's URL, so that the link to the full edition keeps the reader's filters.
   */
  search: string;
  isPage: IsPage;
  head: string;
};

const toNames = (list: string) => new Set(list.split(" "));

/** Elements that are removed with their content. An image or a frame may leave a description. */
const removed = toNames("script style svg canvas template object embed iframe img source track");
const unwrapped = toNames("picture noscript video audio");
/** The only links to other documents that the head keeps. They are not fetched with the page. */
const headLinks = toNames("canonical alternate prev next");
/** Parts that do nothing without scripts, or that only the ordinary page needs. */
const removedClasses = ["script-only", "full-only"];
/** The ends of elements inside a line. */
const inlineEnds = toNames("</a> </bdi> </span> </time>");
/** What only scripts and styles of the ordinary page use. */
const removedAttributes =
  /^(?:style|nonce|inert|popover|popovertarget|popovertargetaction|aria-live|aria-roledescription|data-.*)$/;
/** A part with this attribute is closed until the reader presses the text of the attribute. */
const summaryAttribute = "data-summary";
/** The stylesheet without the comment that Tailwind puts at its beginning. */
const stylesheet = compiledStyles.replace(/^\/\*!.*?\*\/\s*/, "");
/** A class stays if the stylesheet of this edition uses it. */
const usedClasses = new Set(
  [...stylesheet.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ""),
);

type LightStyle = { head: string; policy: string };
const styles = new WeakMap<Palette, LightStyle>();

/** Returns the head of a city's pages in this edition, with their stylesheet, and their policy. */
export function findLightStyle(palette: Palette): LightStyle {
  const style = styles.get(palette) ?? writeLightStyle(palette);
  styles.set(palette, style);
  return style;
}

function writeLightStyle(palette: Palette): LightStyle {
  const css = paint(stylesheet, palette);
  return {
    // The empty icon keeps browsers from requesting /favicon.ico.
    head: `<link rel="icon" href="data:,"><style>${css}</style>`,
    policy: [
      "default-src 'none'",
      "script-src 'none'",
      `style-src ${hashSource(css)}`,
      "img-src data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join("; "),
  };
}

/** An element whose end tag has not been read yet. */
type OpenElement = { name: string; endTag: string };

/** A link or button. If nothing visible is left of its content, it shows its label. */
type Control = { element: OpenElement; start: number; label: string; hasText: boolean };

/**
 * The element that is being removed, how many elements of its name are open, and the id of the
 * panel that it opens.
 */
type Removing = { name: string; depth: number; panel: string | undefined };

type State = {
  /** Whether the page has a header, which links to the front page. */
  hasHeader: boolean;
  parts: string[];
  open: OpenElement[];
  /** How many of the open elements are figures. */
  openFigures: number;
  control: Control | null;
  removing: Removing | null;
  /** The texts of the removed buttons, by the id of the panel that they open. */
  panelLabels: Map<string, string>;
};

type StartTag = Extract<Piece, { kind: "start" }>;

/**
 * Creates the low-data edition of a page from its HTML: the same texts, links and forms, but no
 * images, frames, scripts or fonts. It follows the elements and the classes above. Its time is
 * proportional to the length of the page.
 */
export function createLightPage(markup: string, options: Options): string {
  const state: State = {
    hasHeader: markup.includes("<header"),
    parts: [],
    open: [],
    openFigures: 0,
    control: null,
    removing: null,
    panelLabels: new Map(),
  };
  for (const piece of readMarkup(markup)) {
    if (state.removing) continueRemoving(state, state.removing, piece);
    else if (piece.kind === "start") startElement(state, piece, options);
    else if (piece.kind === "end") endElement(state, piece.name, options.head);
    else if (piece.kind === "text") {
      if (state.control && piece.source.trim() !== "") state.control.hasText = true;
      state.parts.push(piece.source);
    }
  }
  return state.parts.join("");
}

function continueRemoving(state: State, removing: Removing, piece: Piece): void {
  const { panel } = removing;
  if (piece.kind === "text" && panel !== undefined)
    state.panelLabels.set(panel, (state.panelLabels.get(panel) ?? "") + piece.source);
  if (piece.kind === "start" && piece.name === removing.name && !piece.isVoid) removing.depth += 1;
  if (piece.kind === "end" && piece.name === removing.name) removing.depth -= 1;
  if (removing.depth === 0) state.removing = null;
}

function startElement(state: State, piece: StartTag, options: Options): void {
  const { isPage } = options;
  const { parts, open } = state;
  const { name, attributes, isVoid } = piece;
  if (isRemoved(piece)) {
    parts.push(describeRemoved(state, piece, isPage));
    if (!isVoid) state.removing = { name, depth: 1, panel: attributes.get("popovertarget") };
    return;
  }
  const isDialog = attributes.has("popover") && attributes.get("role") === "dialog";
  const id = attributes.get("id") ?? "";
  const ownSummary = attributes.get(summaryAttribute);
  const summary =
    ownSummary === undefined ? isDialog && state.panelLabels.get(id) : escapeHtml(ownSummary);
  if (typeof summary === "string") {
    parts.push(writeTag("details", new Map([["id", id]])), `<summary>${summary}</summary>`);
    open.push({ name, endTag: "</details>" });
    return;
  }
  const element = { name, endTag: unwrapped.has(name) ? "" : `</${name}>` };
  if (name === "a" || name === "button") {
    const label = attributes.get("data-tooltip") ?? attributes.get("aria-label") ?? "";
    state.control = { element, start: parts.length, label, hasText: false };
  }
  if (!unwrapped.has(name)) {
    // On the ordinary page, a gap separates these elements.
    if (inlineEnds.has(`</${name}>`) && inlineEnds.has(parts.at(-1) ?? "")) parts.push(" ");
    const carried = carryInTag(piece, "light", isPage);
    parts.push(writeTag(name, cleanAttributes(carried?.attributes ?? attributes)));
    parts.push(carried?.content ?? "");
  }
  if (name === "body") parts.push(describeEdition(options.search, state.hasHeader));
  if (isVoid) return;
  open.push(element);
  if (name === "figure") state.openFigures += 1;
}

function endElement(state: State, name: string, head: string): void {
  const { parts, open, control } = state;
  const element = open.at(-1);
  // In well-formed markup, this is always the end of the innermost element.
  if (element?.name !== name) return;
  open.pop();
  if (name === "figure") state.openFigures -= 1;
  if (name === "head") parts.push(head);
  if (control?.element === element) {
    state.control = null;
    // A link that has neither a text nor a label repeats another link with a decorative image.
    if (!control.hasText && control.label === "") {
      parts.length = control.start;
      return;
    }
    if (!control.hasText) parts.push(escapeHtml(control.label));
  }
  parts.push(element.endTag);
}

function isRemoved({ name, attributes }: StartTag): boolean {
  const classes = attributes.get("class")?.split(" ") ?? [];
  return (
    removed.has(name) ||
    (name === "link" && !headLinks.has(attributes.get("rel") ?? "")) ||
    removedClasses.some((removedClass) => classes.includes(removedClass)) ||
    // Without a script such a button does nothing. What it opens is always visible here.
    (name === "button" && attributes.get("type") === "button") ||
    // Only a script opens such a popover.
    attributes.get("popover") === "manual" ||
    // Decoration, which repeats a text next to it. In forms it is a trap for spam bots.
    (attributes.get("aria-hidden") === "true" && !classes.includes("form-trap"))
  );
}

function cleanAttributes(attributes: Attributes): Attributes {
  const classes = attributes.get("class")?.split(" ") ?? [];
  const cleaned = new Map([...attributes].filter(([name]) => !removedAttributes.test(name)));
  const used = classes.filter((name) => usedClasses.has(name)).join(" ");
  if (used === "") cleaned.delete("class");
  else cleaned.set("class", used);
  return cleaned;
}

/** Returns what the page shows instead of an image or a frame. */
function describeRemoved(state: State, { name, attributes }: StartTag, isPage: IsPage): string {
  if (name === "iframe") return linkToFrame(attributes, isPage);
  const description = name === "img" ? (attributes.get("alt") ?? "") : "";
  if (description === "") return "";
  if (state.control) state.control.label ||= description;
  // In lists an image illustrates its headline. In a figure it is part of the story.
  const isShown = !state.control && state.openFigures > 0;
  return isShown ? `<p class="image-text">Image: ${escapeHtml(description)}</p>` : "";
}

/** Returns a link to what a frame would have shown. */
function linkToFrame(attributes: Attributes, isPage: IsPage): string {
  const [src = "", title = ""] = [attributes.get("src"), attributes.get("title")];
  const href = carryEdition(src.replace(/[?&]edition=full$/, ""), "light", isPage);
  return src === "" ? "" : `<p>${link(href, title)}</p>`;
}

/** Says which edition this is, with the links that the page itself may lack. */
const describeEdition = (search: string, hasHeader: boolean) =>
  `<aside aria-label="Edition" class="edition">Low-data edition: no images, no scripts. ${link(
    linkToEdition(search, "full"),
    "Full edition",
  )}${hasHeader ? "" : ` ${link(`/?${editionParam}=light`, "Home")}`}</aside>`;

const link = (href: string, text: string) =>
  `${writeTag("a", new Map([["href", href]]))}${escapeHtml(text)}</a>`;
