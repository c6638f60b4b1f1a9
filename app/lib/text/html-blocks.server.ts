/**
 * The elements that begin an HTML block in Markdown (CommonMark, section 4.6, kind 6), for a
 * regular expression. Such a block ends at the next empty line.
 */
export const blockElements =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";

const blockTag = new RegExp(`^\\s*<(?:!--|!doctype\\b|/?(?:${blockElements})(?=[\\s/>]))`, "i");

/**
 * Whether a text is HTML without any Markdown: a block tag begins it, and also follows each empty
 * line. Markdown would treat tags that are indented after an empty line as code.
 */
export const isHtmlOnly = (source: string): boolean =>
  source
    .split(/\n[ \t\r]*\n/)
    .filter((part) => part.trim() !== "")
    .every((part) => blockTag.test(part)) && blockTag.test(source);
