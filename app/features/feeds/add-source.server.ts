import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from "yaml";
import { findNearest } from "../../lib/text/nearest.ts";
import { sectionsFile, toSourceId } from "./files.server.ts";

type EditResult = { ok: true; yaml: string } | { ok: false; reason: string };

const refuse = (reason: string): EditResult => ({ ok: false, reason });

/**
 * Returns the text of sections.yaml with two more lines for the source. The rest of the file does
 * not change by a character.
 */
export function addSource(
  yaml: string,
  section: string,
  { name, url }: { name: string; url: string },
): EditResult {
  const sections = parseDocument(yaml).get("sections", true);
  const feed = findYamlFeed(sections, section);
  if (!feed) return refuse(unknownSectionMessage(section, listNames(sections)));
  const allSources = listSources(yaml);
  const existing = allSources.find((source) => isSameUrl(source.url, url));
  const sources = feed.get("sources", true);
  if (
    isSeq(sources) &&
    sources.items.some((item) => isMap(item) && isSameUrl(item.get("url"), url))
  )
    return refuse(`The section "${section}" already has this feed, as "${existing?.name}".`);
  // A source in two sections is fetched only once, so it must have the same name in both.
  if (existing && existing.name !== name)
    return refuse(
      `The section "${existing.section}" has this feed as "${existing.name}". To show it here as well, add: --name ${JSON.stringify(existing.name)}`,
    );
  if (!existing && allSources.some((source) => toSourceId(source.name) === toSourceId(name)))
    return refuse(
      `Another source with a different URL is already called "${name}". Choose another name: --name "…"`,
    );
  const place = findPlace(yaml, feed);
  if (!place) return refuse(`Add the first source of "${section}" to sections.yaml by hand.`);
  const { insertAt, indent, heading } = place;
  const edited = `${yaml.slice(0, insertAt)}${heading}\n${indent}- name: ${JSON.stringify(name)}\n${indent}  url: ${url}${yaml.slice(insertAt)}`;
  const parsed = sectionsFile.parse(edited);
  if (parsed.ok) return { ok: true, yaml: edited };
  const [problem] = parsed.problems;
  return refuse(`${problem?.field ?? "The file"} ${problem?.message ?? "would not be valid."}`);
}

/** Finds where the next source of a feed is written: after its last one, or after its last line. */
function findPlace(yaml: string, feed: YAMLMap) {
  const sources = feed.get("sources", true);
  const lastSource = isSeq(sources) ? sources.items.at(-1) : undefined;
  const isFirst = !isMap(lastSource);
  const insertAt = findEnd(isFirst ? feed.items.at(-1)?.value : lastSource.items.at(-1)?.value);
  // An empty list, `sources: []`, has no place for a line.
  if (insertAt === null || (isFirst && feed.has("sources"))) return null;
  const before = yaml.slice(0, insertAt);
  if (!isFirst) {
    const indent = /\n( *)- (?=[^\n]*\n?[^-]*$)/.exec(before)?.[1] ?? "          ";
    return { insertAt, indent, heading: "" };
  }
  const key = feed.items[0]?.key;
  const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const margin = " ".repeat(start - yaml.lastIndexOf("\n", start) - 1);
  return { insertAt, indent: `${margin}  `, heading: `\n${margin}sources:` };
}

const findEnd = (value: unknown): number | null =>
  isScalar(value) && value.range ? yamlEnd(value.range[1], value.type) : null;

/** The value of a block such as `>-` includes its last line break. */
const yamlEnd = (end: number, type: unknown) =>
  type === "BLOCK_FOLDED" || type === "BLOCK_LITERAL" ? end - 1 : end;

function unknownSectionMessage(name: string, { sections, feeds }: ReturnType<typeof listNames>) {
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

function listSources(yaml: string): { section: string; name: string; url: string }[] {
  const parsed = sectionsFile.parse(yaml);
  if (!parsed.ok) return [];
  return Object.entries(parsed.value.sections).flatMap(([section, { feeds }]) =>
    Object.values(feeds).flatMap(({ sources }) =>
      sources.map(({ name, url }) => ({ section, name, url })),
    ),
  );
}

/** Whether two URLs are the same apart from the scheme, a leading `www.` and a trailing slash. */
const isSameUrl = (url: unknown, otherUrl: string): boolean =>
  normalizeUrl(String(url)) === normalizeUrl(otherUrl);

function normalizeUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, pathname, search } = new URL(url);
  return `${hostname.replace(/^www\./, "")}:${port}${pathname.replace(/\/$/, "")}${search}`;
}

/** Finds the feed with this name, or the first feed of the section with this name. */
function findYamlFeed(sections: unknown, name: string): YAMLMap | null {
  for (const { key, value } of isMap(sections) ? sections.items : []) {
    const feeds = isMap(value) ? value.get("feeds", true) : null;
    if (!isMap(feeds)) continue;
    const feed = String(key) === name ? feeds.items[0]?.value : feeds.get(name, true);
    if (isMap(feed)) return feed;
  }
  return null;
}
