import type { z } from "zod";
import type { Part } from "../lib/links/parts.ts";
import type { Rendered } from "../lib/text/markdown.server.ts";
import { toSlug } from "../lib/text/slug.ts";
import {
  checkPostText,
  type PageText,
  renderPageText,
  type TextParser,
} from "./page-text.server.ts";
import { type Parsed, type Problem, parseYaml, shiftLine } from "./site-yaml.server.ts";

export type { Parsed, Problem, TextParser };

/**
 * How the text of a site file becomes a validated value. `origin` is the site's own origin, which
 * distinguishes internal links from external ones.
 */
export type SiteFile<T> = {
  path: string;
  /** The part of the site that the file belongs to. A city without this part needs no such file. */
  part?: Part;
  /** The server refuses a larger file without reading it. */
  maxKilobytes: number;
  parse(source: string, origin?: string): Parsed<T>;
  /** Does the same as `parse` for a file with Markdown, but reads a long text with `parser`. */
  parseWith?(parser: TextParser, source: string, origin?: string): Promise<Parsed<T>>;
  /** Returns remarks for editors about the consequences of valid settings. */
  remarks?(value: T): string[];
  /**
   * The value for a city without this file, and what that means for readers, as the end of the
   * sentence "the file does not exist: …". Without this property, the file is required.
   */
  whenMissing?: { value: T; effect: string };
  /**
   * The first segments of the paths that the city does not have, because this file leaves them out.
   */
  absent?(value: T): readonly string[];
  /** What of the last good value still applies while the file, with this text, has a problem. */
  whenInvalid?(lastGood: T, source: string): T;
};

type MarkdownFile<T> = Omit<SiteFile<T>, "whenMissing" | "whenInvalid"> &
  Required<Pick<SiteFile<T>, "parseWith">>;

/** A folder with one record per file. The name of a file is the record's id and part of its path. */
export type SiteFolder<T> = { folder: string; part?: Part; file(name: string): SiteFile<T> };

export type SiteSource = SiteFile<unknown> | SiteFolder<unknown>;

export type ValueOf<Source> = Source extends SiteFile<infer T> | SiteFolder<infer T> ? T : never;

/** The content of the city's files, already parsed, for requests and commands. */
export type SiteContent = {
  read<T>(file: SiteFile<T>): T;
  /**
   * The valid records, ordered by file name. Until a file changes, this is the same array, so that
   * what is computed from it can be cached.
   */
  readAll<T>(folder: SiteFolder<T>): readonly T[];
  /** The names of all files of a folder, without .md, including those with mistakes. */
  names(folder: SiteFolder<unknown>): string[];
  /**
   * The first segments of the paths that this city does not have, because one of its files leaves
   * out a part or a section.
   */
  listAbsent(): readonly string[];
  /** Whether the city has the page at a path. Asked about `/radio`, it tells whether it has a radio. */
  hasPage(path: string): boolean;
};

const maxSettingsKilobytes = 64;
const maxPageKilobytes = 256;
const maxFrontMatterLength = 16 * 1024;

type Options<T> = {
  remarks?: (value: T) => string[];
  maxKilobytes?: number;
  absent?: (value: T) => readonly string[];
};

/**
 * Declares a YAML file. The schema of a file that contains Markdown is a function, because links in
 * Markdown depend on the site's origin.
 */
export function siteFile<S extends z.ZodType>(
  path: string,
  schema: S | ((origin?: string) => S),
  { remarks, maxKilobytes = maxSettingsKilobytes, absent }: Options<z.output<S>> = {},
): SiteFile<z.output<S>> {
  const getSchema = (origin?: string) => (typeof schema === "function" ? schema(origin) : schema);
  return {
    path,
    maxKilobytes,
    parse: (source, origin) => parseYaml(source, getSchema(origin), 0),
    remarks,
    absent,
  };
}

/** If `textOptional` is true, the settings are enough and the text may be missing. */
type PageOptions<T> = { remarks?: (value: T) => string[]; textOptional?: boolean };

/** Declares a Markdown page: settings between two `---` lines, then text that becomes safe HTML. */
export function sitePage<S extends z.ZodType>(
  path: string,
  schema: S,
  { remarks, textOptional = false }: PageOptions<Rendered & { front: z.output<S> }> = {},
): MarkdownFile<Rendered & { front: z.output<S> }> {
  type Value = Rendered & { front: z.output<S> };
  const toPage = (file: FrontMatter<z.output<S>>, text: PageText): Parsed<Value> => {
    // Text that consists only of comments shows nothing to readers.
    const isMissing = text.ok && text.value.html.trim() === "" && !textOptional;
    return combine(file, isMissing ? missingText : text, (front, value) => ({ front, ...value }));
  };
  return {
    path,
    maxKilobytes: maxPageKilobytes,
    remarks,
    parse(source, origin) {
      const parsed = parseFrontMatter(source, schema);
      return parsed.ok ? toPage(parsed.value, renderPageText(parsed.value.body, origin)) : parsed;
    },
    async parseWith(parser, source, origin) {
      const parsed = parseFrontMatter(source, schema);
      if (!parsed.ok) return parsed;
      return toPage(parsed.value, await parser.renderPageText(parsed.value.body, origin));
    },
  };
}

type FrontMatter<T> = { front: Parsed<T>; body: string; linesBefore: number };

/** Makes one value of the settings and the text of a file, or reports the problems of both. */
function combine<Front, Text, Value>(
  { front, body, linesBefore }: FrontMatter<Front>,
  text: PageText<Text>,
  create: (front: Front, text: Text) => Value,
): Parsed<Value> {
  if (front.ok && text.ok) return { ok: true, value: create(front.value, text.value) };
  return {
    ok: false,
    problems: [
      ...(front.ok ? [] : front.problems),
      ...(text.ok ? [] : text.problems.map((problem) => shiftLine(linesBefore, problem))),
    ],
    rest: [front.ok ? front.value : front.rest, text.ok ? (text.value ?? body) : text.rest],
  };
}

/** Returns the settings at the top of a Markdown file, and the text below them as Markdown. */
function parseFrontMatter<S extends z.ZodType>(
  source: string,
  schema: S,
): Parsed<FrontMatter<z.output<S>>> {
  // Files from old Macs have \r as the line break.
  const lines = source.split(/\r\n?|\n/);
  const isFence = (line: string) => line.trimEnd() === "---";
  if (!isFence(lines[0] ?? ""))
    return refuse(
      1,
      "",
      "the file must begin with a line of ---, then settings such as title: …, then a second line of ---",
    );
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (end < 0) return refuse(1, "", "the settings need a second line of --- below them");
  const settings = lines.slice(1, end).join("\n");
  if (settings.length > maxFrontMatterLength)
    return refuse(
      2,
      "",
      "the settings are too long: is the second line of --- in the right place?",
    );
  const front = parseYaml(settings, schema, 1);
  return {
    ok: true,
    value: { front, body: lines.slice(end + 1).join("\n"), linesBefore: end + 1 },
  };
}

const recordName = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;

/** Declares a folder of Markdown pages, such as news/*.md. */
export function siteFolder<S extends z.ZodType>(
  folder: string,
  schema: S,
  options?: PageOptions<Rendered & { front: z.output<S> }>,
): SiteFolder<Rendered & { id: string; front: z.output<S> }> {
  return createFolder(folder, (path) => sitePage(path, schema, options));
}

/**
 * Declares a folder of Markdown files whose text is not rendered, because other servers may request
 * the Markdown.
 */
export function siteMarkdownFolder<S extends z.ZodType>(
  folder: string,
  schema: S,
): SiteFolder<{ id: string; front: z.output<S>; body: string }> {
  type Value = { front: z.output<S>; body: string };
  const toValue = (file: FrontMatter<z.output<S>>, text: PageText<null>): Parsed<Value> =>
    combine(file, file.body.trim() === "" ? missingText : text, (front) => ({
      front,
      body: file.body,
    }));
  return createFolder(folder, (path) => ({
    path,
    maxKilobytes: maxPageKilobytes,
    parse(source) {
      const parsed = parseFrontMatter(source, schema);
      return parsed.ok ? toValue(parsed.value, checkPostText(parsed.value.body)) : parsed;
    },
    async parseWith(parser, source) {
      const parsed = parseFrontMatter(source, schema);
      if (!parsed.ok) return parsed;
      return toValue(parsed.value, await parser.checkPostText(parsed.value.body));
    },
  }));
}

function createFolder<T extends object>(
  folder: string,
  createFile: (path: string) => MarkdownFile<T>,
): SiteFolder<T & { id: string }> {
  return {
    folder,
    file(name) {
      const file = createFile(`${folder}/${name}`);
      const id = recordName.exec(name)?.[1];
      const withId = (parsed: Parsed<T>): Parsed<T & { id: string }> => {
        if (id === undefined) return refuse(0, "", toRenameAdvice(name));
        return parsed.ok ? { ok: true, value: { id, ...parsed.value } } : parsed;
      };
      return {
        ...file,
        parse: (source, origin) => withId(file.parse(source, origin)),
        parseWith: async (parser, source, origin) =>
          withId(await file.parseWith(parser, source, origin)),
      };
    },
  };
}

/** Tells an editor how to rename a file, because its name becomes part of a path. */
export function toRenameAdvice(name: string): string {
  const slug = toSlug(name.replace(/\.[^.]*$/, ""));
  return `rename the file to ${slug || "my-story"}.md, or to another name if that one is in use: lowercase letters, digits and hyphens, ending in .md`;
}

const refuse = (line: number, field: string, message: string): Parsed<never> => ({
  ok: false,
  problems: [{ line, field, message }],
});

const missingText = refuse(1, "", "the text is missing: write it below the second line of ---");
