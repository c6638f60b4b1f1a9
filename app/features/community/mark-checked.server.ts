import { isMap, isScalar, isSeq, parseDocument, visit, type YAMLMap } from "yaml";
import { communityFile } from "./files.server.ts";

const lists = [
  { list: "items", link: "link" },
  { list: "links", link: "url" },
];

/**
 * Returns the text of community.yaml with `checked: <day>` for the listings whose links work, and
 * their number. The rest of the file does not change by a character.
 */
export function markChecked(
  yaml: string,
  workingUrls: Set<string>,
  day: string,
): { yaml: string; count: number } {
  const edits: { from: number; to: number; text: string }[] = [];
  visit(parseDocument(yaml), {
    Pair(_key, { key, value }) {
      const found = lists.find(({ list }) => isScalar(key) && key.value === list);
      if (!found || !isSeq(value)) return;
      for (const item of value.items) {
        if (!isMap(item) || !workingUrls.has(String(item.get(found.link)))) continue;
        const edit = toEdit(yaml, item, found.link, day);
        if (edit) edits.push(edit);
      }
    },
  });
  let edited = yaml;
  for (const { from, to, text } of edits.toSorted((one, other) => other.from - one.from))
    edited = edited.slice(0, from) + text + edited.slice(to);
  return communityFile.parse(edited).ok
    ? { yaml: edited, count: edits.length }
    : { yaml, count: 0 };
}

/** Replaces the date of a listing, or adds it before the link. Null if it has the date already. */
function toEdit(yaml: string, item: YAMLMap, link: string, day: string) {
  const checked = item.get("checked", true);
  if (isScalar(checked) && checked.range) {
    const [from, to] = checked.range;
    return yaml.slice(from, to) === day ? null : { from, to, text: day };
  }
  const key = item.items.find((pair) => isScalar(pair.key) && pair.key.value === link)?.key;
  const [from] = (isScalar(key) && key.range) || [];
  if (from === undefined) return null;
  const indent = " ".repeat(from - (yaml.lastIndexOf("\n", from - 1) + 1));
  return { from, to: from, text: `checked: ${day}${item.flow ? ", " : `\n${indent}`}` };
}
