import { isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import { sectionsFile } from "./files.server.ts";

type Edited = { ok: true; source: string } | { ok: false; reason: string };

/** The file with two more lines in it, and not a character of the rest touched. */
export function withSource(
  file: string,
  section: string,
  { name, url }: { name: string; url: string },
): Edited {
  const sections = parseDocument(file).get("sections", true);
  const feed = feedNamed(sections, section);
  if (!feed) return { ok: false, reason: `sections.yaml has no section and no feed "${section}".` };
  const sources = feed.get("sources", true);
  const last = isSeq(sources) ? sources.items.at(-1) : undefined;
  const end = isMap(last) ? last.items.at(-1)?.value : undefined;
  const range =
    end && typeof end === "object" && "range" in end && Array.isArray(end.range) ? end.range : null;
  const at: unknown = range?.[1];
  if (typeof at !== "number") {
    return { ok: false, reason: `The section "${section}" has no sources yet: write the first one by hand.` };
  }
  const indent = /\n( *)- (?=[^\n]*\n?[^-]*$)/.exec(file.slice(0, at))?.[1] ?? "          ";
  const quoted = (text: string) => JSON.stringify(text);
  const source = `${file.slice(0, at)}\n${indent}- name: ${quoted(name)}\n${indent}  url: ${url}${file.slice(at)}`;
  const parsed = sectionsFile.parse(source);
  if (parsed.ok) return { ok: true, source };
  const [problem] = parsed.problems;
  return { ok: false, reason: `${problem?.field ?? "The file"} ${problem?.message ?? "would not be good."}` };
}

/** The feed of this name, or the first of the section of this name. */
function feedNamed(sections: unknown, name: string): YAMLMap | null {
  for (const { key, value } of isMap(sections) ? sections.items : []) {
    const feeds = isMap(value) ? value.get("feeds", true) : null;
    if (!isMap(feeds)) continue;
    const named = String(key) === name ? feeds.items[0]?.value : feeds.get(name, true);
    if (isMap(named)) return named;
  }
  return null;
}
