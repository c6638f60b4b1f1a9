import { decodeHTML } from "entities";

const toNames = (list: string) => new Set(list.split(" "));

/** Elements inside a line. Their tags are removed without a space. */
const inline = toNames(
  "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr output q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr",
);
/** Elements that begin and end a line. */
const block = toNames(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p pre search section summary table tbody tfoot thead tr ul xmp",
);
/** All other HTML elements, including obsolete ones. Their tags become a space. */
const other = toNames(
  "applet area audio base basefont bgsound br button canvas col colgroup datalist embed frame frameset head iframe image img input isindex keygen link map marquee math meta meter noembed noframes noscript object param picture plaintext portal progress script select slot source spacer style svg td template textarea th title track video",
);
/** Elements whose content, up to the end tag, is raw text that is not meant to be read. */
const raw = toNames("script style title textarea iframe noembed noframes noscript");
/**
 * Elements whose content is code, choices of a form, or a message for browsers that cannot show the
 * element.
 */
const hidden = toNames("svg template object audio video canvas select datalist");

const isElement = (name: string) => inline.has(name) || block.has(name) || other.has(name);
/** Custom elements, and elements that office programs add: <my-card>, <o:p>, <st1:City>. */
const namespaced = /^[a-z]\w*[:-]\w/;
const tagName = /[a-z][\w:.-]{0,60}(?=[\s/>]|$)/iy;
const commentEnd = /--!?>/g;
/** <!doctype html>, <![if gte mso 9]>, <?xml version="1.0"?> */
const declaration = /^<(?:![a-z[]|\?[a-z])/i;

const endTags = new Map(
  [...raw, ...hidden].map((name) => [name, new RegExp(`</${name}(?=[\\s/>]|$)`, "gi")] as const),
);

/**
 * Converts an HTML fragment to text, with a line break where an element begins or ends a line. It
 * follows the HTML standard, except in plain text that was never meant as HTML: an unknown tag
 * without attributes that is never closed ("List<T>") and a "<" without a following ">" are text.
 * The function reads every character a fixed number of times, so its time is proportional to the
 * length of the text.
 */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  let isLineStart = true;
  let isInCdata = false;
  const add = (text: string) => {
    if (text === "") return;
    parts.push(isInCdata ? text.replaceAll("]]>", "") : text);
    isLineStart &&= text.trim() === "";
  };
  const breakLine = () => {
    if (!isLineStart) parts.push("\n");
    isLineStart = true;
  };
  let closed: Set<string> | undefined;
  const isClosed = (name: string) => {
    closed ??= listClosedNames(html);
    return closed.has(name);
  };

  /**
   * Names of elements that have no end tag in the rest of the text. Searching for the end tag again
   * at every start tag would take quadratic time.
   */
  const unclosed = new Set<string>();

  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    add(decodeHTML(html.slice(at, open === -1 ? html.length : open)));
    if (open === -1) break;

    if (html.startsWith("<![CDATA[", open)) {
      // The content is HTML in practice: programs that wrap it twice escape the outer section.
      isInCdata = true;
      at = open + "<![CDATA[".length;
      continue;
    }
    const isComment = html.startsWith("<!--", open);
    if (isComment || declaration.test(html.slice(open, open + 3))) {
      at = isComment ? findCommentEnd(html, open) : html.indexOf(">", open) + 1;
      if (at === 0) break;
      continue;
    }

    const isEndTag = html.charCodeAt(open + 1) === slash;
    tagName.lastIndex = open + (isEndTag ? 2 : 1);
    const name = tagName.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      // "</>" is ignored; any other "<" here is a normal character.
      if (html.startsWith("</>", open)) at = open + 3;
      else {
        add("<");
        at = open + 1;
      }
      continue;
    }
    const isKnown = isElement(name) || namespaced.test(name);
    const { end, hasValue, isCut } = readTag(html, tagName.lastIndex, isKnown);
    if (isCut) {
      // Either the text was cut inside a tag, which feeds often do, or the "<" means "less than".
      const isTag = hasValue || (isKnown && !/\s/.test(html.slice(tagName.lastIndex).trim()));
      if (!isTag) add(decodeHTML(html.slice(open)));
      break;
    }
    const isMarkup = isKnown || hasValue || (html[end - 1] === ">" && (isEndTag || isClosed(name)));
    at = end;
    if (!isMarkup) {
      add(decodeHTML(html.slice(open, end)));
      continue;
    }
    if (name === "br") {
      parts.push("\n");
      isLineStart = true;
    } else if (block.has(name)) breakLine();
    else if (other.has(name)) parts.push(" ");
    const hasContent = !isEndTag && !html.endsWith("/>", end);
    if (hasContent && (raw.has(name) || (hidden.has(name) && !unclosed.has(name)))) {
      const contentEnd = findEndTag(html, name, end);
      // An unclosed script extends to the end of the text; the content of other unclosed elements
      // is text.
      if (contentEnd === -1 && raw.has(name)) break;
      if (contentEnd === -1) unclosed.add(name);
      else at = contentEnd;
    }
  }
  return parts.join("");
}

function findEndTag(html: string, name: string, from: number): number {
  const pattern = endTags.get(name);
  if (!pattern) return -1;
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? -1;
}

/** Returns the position after the comment that begins at `open`, or 0 if it has no end. */
function findCommentEnd(html: string, open: number): number {
  const content = open + "<!--".length;
  if (html.startsWith(">", content)) return content + 1;
  if (html.startsWith("->", content)) return content + 2;
  commentEnd.lastIndex = content;
  return commentEnd.test(html) ? commentEnd.lastIndex : 0;
}

type Tag = {
  /** The position after the tag, or of the character that shows that this is not a tag. */
  end: number;
  /** Whether an attribute has a value. */
  hasValue: boolean;
  /** Whether the text ends inside the tag. */
  isCut: boolean;
};

const slash = "/".charCodeAt(0);
const greater = ">".charCodeAt(0);
const less = "<".charCodeAt(0);
const equals = "=".charCodeAt(0);
const doubleQuote = '"'.charCodeAt(0);
const singleQuote = "'".charCodeAt(0);

/** Reads attributes as the HTML tokenizer does: a ">" inside quotes belongs to the value. */
function readTag(html: string, from: number, isKnown: boolean): Tag {
  let at = from;
  let hasValue = false;
  const cutTag = { end: html.length, isCut: true };
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === greater) return { end: at + 1, hasValue, isCut: false };
    if (code === less && !isKnown && !hasValue) return { end: at, hasValue, isCut: false };
    if (code === equals) {
      hasValue = true;
      at = skipSpace(html, at + 1);
      const quote = html.charCodeAt(at);
      if (quote === doubleQuote || quote === singleQuote) {
        at = html.indexOf(html.charAt(at), at + 1) + 1;
        if (at === 0) return { ...cutTag, hasValue };
      } else
        while (at < html.length && html.charCodeAt(at) !== greater && !isSpace(html.charCodeAt(at)))
          at += 1;
    } else at += 1;
  }
  return { ...cutTag, hasValue };
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

function skipSpace(html: string, from: number): number {
  let at = from;
  while (isSpace(html.charCodeAt(at))) at += 1;
  return at;
}

const listClosedNames = (html: string) =>
  new Set(
    [...html.matchAll(/<\/([a-z][\w:.-]{0,60})/gi)].map(([, name = ""]) => name.toLowerCase()),
  );
