import { isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import { findNearest } from "../../lib/text/nearest.ts";
import { sectionsFile, sourceId } from "./files.server.ts";

type EditResult = { ok: true; source: string } | { ok: false; reason: string };

/**
 * Inserts two lines for the source. The rest of the file stays as it is, character by character.
 */
export function addSource(
  file: string,
  section: string,
  { name, url }: { name: string; url: string },
): EditResult {
  const sections = parseDocument(file).get("sections", true);
  const feed = findFeed(sections, section);
  if (!feed) return { ok: false, reason: unknownSection(section, listNames(sections)) };
  const allSources = listSources(file);
  const existing = allSources.find((source) => isSameUrl(source.url, url));
  const sources = feed.get("sources", true);
  if (
    isSeq(sources) &&
    sources.items.some((item) => isMap(item) && isSameUrl(item.get("url"), url))
  )
    return {
      ok: false,
      reason: `The section "${section}" already has this feed, as "${existing?.name}".`,
    };
  // A source in two sections is fetched only once, so it must have the same name in both.
  if (existing && existing.name !== name)
    return {
      ok: false,
      reason: `The section "${existing.section}" has this feed as "${existing.name}". To show it here as well, add: --name ${JSON.stringify(existing.name)}`,
    };
  if (!existing && allSources.some((source) => sourceId(source.name) === sourceId(name)))
    return {
      ok: false,
      reason: `Another source is already called "${name}", with a different URL. Choose another name: --name "…"`,
    };
  const last = isSeq(sources) ? sources.items.at(-1) : undefined;
  const end = isMap(last) ? last.items.at(-1)?.value : undefined;
  const range =
    end && typeof end === "object" && "range" in end && Array.isArray(end.range) ? end.range : null;
  const insertAt: unknown = range?.[1];
  if (typeof insertAt !== "number") {
    return {
      ok: false,
      reason: `The section "${section}" has no sources yet. Add the first one to sections.yaml by hand.`,
    };
  }
  const indent = /\n( *)- (?=[^\n]*\n?[^-]*$)/.exec(file.slice(0, insertAt))?.[1] ?? "          ";
  const quoted = (text: string) => JSON.stringify(text);
  const source = `${file.slice(0, insertAt)}\n${indent}- name: ${quoted(name)}\n${indent}  url: ${url}${file.slice(insertAt)}`;
  const parsed = sectionsFile.parse(source);
  if (parsed.ok) return { ok: true, source };
  const [problem] = parsed.problems;
  return {
    ok: false,
    reason: `${problem?.field ?? "The file"} ${problem?.message ?? "would not be valid."}`,
  };
}

function unknownSection(name: string, { sections, feeds }: ReturnType<typeof listNames>): string {
  const suggestion = findNearest(name, [...sections, ...feeds]);
  return [
    `sections.yaml has no section "${name}".`,
    ...(suggestion === undefined ? [] : [`Did you mean "${suggestion}"?`]),
    `Its sections: ${sections.join(", ")}.`,
  ].join(" ");
}

/** The names that `--section` accepts: those of the sections, and those of the feeds in them. */
function listNames(sections: unknown): { sections: string[]; feeds: string[] } {
  const listKeys = (value: unknown) =>
    isMap(value) ? value.items.map(({ key }) => String(key)) : [];
  const feeds = isMap(sections)
    ? sections.items.flatMap(({ value }) =>
        isMap(value) ? listKeys(value.get("feeds", true)) : [],
      )
    : [];
  return { sections: listKeys(sections), feeds };
}

function listSources(file: string): { section: string; name: string; url: string }[] {
  const parsed = sectionsFile.parse(file);
  if (!parsed.ok) return [];
  return Object.entries(parsed.value.sections).flatMap(([section, { feeds }]) =>
    Object.values(feeds).flatMap(({ sources }) =>
      sources.map(({ name, url }) => ({ section, name, url })),
    ),
  );
}

/**
 * Whether two URLs differ only in spelling: in a slash at the end, `http` or `https`, or a leading
 * `www`.
 */
const isSameUrl = (one: unknown, other: string): boolean =>
  normalizeUrl(String(one)) === normalizeUrl(other);

function normalizeUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, pathname, search } = new URL(url);
  return `${hostname.replace(/^www\./, "")}:${port}${pathname.replace(/\/$/, "")}${search}`;
}

/** The feed with this name, or the first feed of the section with this name. */
function findFeed(sections: unknown, name: string): YAMLMap | null {
  for (const { key, value } of isMap(sections) ? sections.items : []) {
    const feeds = isMap(value) ? value.get("feeds", true) : null;
    if (!isMap(feeds)) continue;
    const named = String(key) === name ? feeds.items[0]?.value : feeds.get(name, true);
    if (isMap(named)) return named;
  }
  return null;
}
