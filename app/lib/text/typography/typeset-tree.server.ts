import type { Element, Root, Text } from "hast";
import { applyEdits, type Edit, findEdits, toTypographic } from "./typography.ts";

/** The text of these elements continues the sentence around them. */
const inlineElements = new Set(
  "a abbr b cite del em i ins mark q s small span strong sub sup".split(" "),
);
/** The text of these elements stays as typed. In a sentence, it counts as a word. */
const literalElements = new Set("code kbd pre samp img".split(" "));
const literal = "x";

/** A sentence or paragraph: its text, and the nodes that it consists of, each with its start. */
type Run = { text: string; nodes: { node: Text; start: number }[] };

/**
 * Sets typographic marks in all texts of a tree, except code. A quote may be in another element
 * than the word next to it, as in "*Yes*," so the texts of a paragraph are read as one.
 */
export function typesetTree(tree: Root): void {
  let run: Run = { text: "", nodes: [] };
  const endRun = () => {
    typesetRun(run);
    run = { text: "", nodes: [] };
  };
  const read = (parent: Root | Element) => {
    for (const child of parent.children) {
      if (child.type === "text") {
        run.nodes.push({ node: child, start: run.text.length });
        run.text += child.value;
      }
      if (child.type !== "element") continue;
      if (child.tagName === "img")
        child.properties.alt = toTypographic(String(child.properties.alt ?? ""));
      if (child.tagName === "br") run.text += "\n";
      else if (literalElements.has(child.tagName)) run.text += literal;
      else if (inlineElements.has(child.tagName)) read(child);
      else {
        endRun();
        read(child);
        endRun();
      }
    }
  };
  read(tree);
  endRun();
}

function typesetRun({ text, nodes }: Run): void {
  const edits = findEdits(text);
  let next = 0;
  for (const { node, start } of nodes) {
    const end = start + node.value.length;
    const own: Edit[] = [];
    for (let edit = edits[next]; edit && edit.from < end; edit = edits[next]) {
      // Two hyphens in two elements are not a dash.
      if (edit.to <= end) own.push(edit);
      next += 1;
    }
    node.value = applyEdits(node.value, own, start);
  }
}
