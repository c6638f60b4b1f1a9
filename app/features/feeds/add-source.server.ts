import { isMap, isSeq, parseDocument } from "yaml";
import { sectionsFile } from "./files.server.ts";

type Edited = { ok: true; source: string } | { ok: false; reason: string };

/** The file with two more lines in it, and not a character of the rest touched. */
export function withSource(
  file: string,
  section: string,
  { name, url }: { name: string; url: string },
): Edited {
  const feeds = parseDocument(file).getIn(["sections", section, "feeds"], true);
  const feed = isMap(feeds) ? feeds.items[0]?.value : undefined;
  if (!isMap(feed)) return { ok: false, reason: `sections.yaml has no section "${section}".` };
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
