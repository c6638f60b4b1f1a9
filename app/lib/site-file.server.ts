import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { type Rendered, renderMarkdown } from "./markdown.server.ts";
import { isTame } from "./tame-markdown.server.ts";

/** One thing wrong in a file, in words an editor can act on. */
export type Problem = { line: number; field: string; message: string };
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/**
 * A file of the city's folder: where it is, and how its text becomes a value the code can trust. `origin` is the site's
 * own, so that links in a text can be told from those that leave the site.
 */
export type SiteFile<T> = {
  path: string;
  parse(source: string, origin?: string): Parsed<T>;
  remarks?(value: T): string[];
  /** What a city has that does without this file. Without it, the file is required. */
  whenMissing?: { value: T };
};

/** A folder of files of one kind, one a record. The name of the file is the record's id, and part of its address. */
export type SiteFolder<T> = { folder: string; file(name: string): SiteFile<T> };

export type SiteSource = SiteFile<unknown> | SiteFolder<unknown>;

export type ValueOf<Source> = Source extends SiteFile<infer T> | SiteFolder<infer T> ? T : never;

/** What a request may read of the city: every declared file and folder, already parsed. */
export type SiteReader = {
  read<T>(file: SiteFile<T>): T;
  /** Every good record of a folder, in the order of the file names. */
  readAll<T>(folder: SiteFolder<T>): T[];
};

/**
 * `remarks` tell an editor what a setting that is allowed brings with it. A file with texts in Markdown gives a function
 * as its schema, because their links depend on the site's own origin.
 */
export function siteFile<S extends z.ZodType>(
  path: string,
  schema: S | ((origin?: string) => S),
  remarks?: (value: z.output<S>) => string[],
): SiteFile<z.output<S>> {
  const schemaFor = (origin?: string) => (typeof schema === "function" ? schema(origin) : schema);
  return {
    path,
    parse: (source, origin) => parseYaml(source, schemaFor(origin), 0),
    ...(remarks ? { remarks } : {}),
  };
}

export const tooComplex = "is too long or too deeply nested for Markdown: make it shorter or simpler";

/** A Markdown page: front matter between two `---` lines, then text that becomes safe HTML. */
export function sitePage<S extends z.ZodType>(
  path: string,
  schema: S,
  remarks?: (value: Rendered & { front: z.output<S> }) => string[],
): SiteFile<Rendered & { front: z.output<S> }> {
  return {
    path,
    ...(remarks ? { remarks } : {}),
    parse(source, origin) {
      const parsed = parseFrontMatter(source, schema);
      if (!parsed.ok) return parsed;
      const { front, body } = parsed.value;
      // The newsroom's own files are rendered in the server's thread, so their rendering time has to be limited.
      if (!isTame(body)) return refuse(1, "text", tooComplex);
      return { ok: true, value: { front, ...renderMarkdown(body, origin) } };
    },
  };
}

/** The settings at the top of a Markdown file, and the text below them as it was written. */
export function parseFrontMatter<S extends z.ZodType>(
  source: string,
  schema: S,
): Parsed<{ front: z.output<S>; body: string }> {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(source);
  if (!match) return refuse(1, "front matter", "the file must begin with settings between two lines of ---");
  const front = parseYaml(match[1] ?? "", schema, 1);
  if (!front.ok) return front;
  return { ok: true, value: { front: front.value, body: source.slice(match[0].length) } };
}

const recordName = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;

/** A folder of Markdown pages, such as news/*.md. */
export function siteFolder<S extends z.ZodType>(
  folder: string,
  schema: S,
  remarks?: (value: Rendered & { front: z.output<S> }) => string[],
): SiteFolder<Rendered & { id: string; front: z.output<S> }> {
  return folderOf(folder, (path) => sitePage(path, schema, remarks));
}

/** A folder of Markdown files whose text is kept as it was written, because others may ask for it so. */
export function siteTexts<S extends z.ZodType>(
  folder: string,
  schema: S,
  remarks?: (value: { front: z.output<S>; body: string }) => string[],
): SiteFolder<{ id: string; front: z.output<S>; body: string }> {
  return folderOf(folder, (path) => ({
    path,
    parse: (source) => parseFrontMatter(source, schema),
    ...(remarks ? { remarks } : {}),
  }));
}

function folderOf<T extends object>(
  folder: string,
  fileAt: (path: string) => Omit<SiteFile<T>, "whenMissing">,
): SiteFolder<T & { id: string }> {
  return {
    folder,
    file(name) {
      const file = fileAt(`${folder}/${name}`);
      const id = recordName.exec(name)?.[1];
      return {
        ...file,
        parse(source, origin) {
          if (id === undefined)
            return refuse(1, "file name", "must be small letters, digits and hyphens, such as my-story.md");
          const parsed = file.parse(source, origin);
          return parsed.ok ? { ok: true, value: { id, ...parsed.value } } : parsed;
        },
      };
    },
  };
}

function parseYaml<S extends z.ZodType>(source: string, schema: S, linesBefore: number): Parsed<z.output<S>> {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line + linesBefore;

  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.map((error) => ({
        line: lineAt(error.pos[0]),
        field: "YAML",
        message: error.message,
      })),
    };
  }

  const lineOf = (path: PropertyKey[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1 + linesBefore;
  };

  const value = attempt(() => document.toJS());
  if ("error" in value) return refuse(1 + linesBefore, "YAML", value.error);

  const result = schema.safeParse(value.value);
  if (result.success) return { ok: true, value: result.data };
  return {
    ok: false,
    problems: result.error.issues.flatMap((issue) => {
      if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => ({
          line: lineOf([...issue.path, key]),
          field: fieldName([...issue.path, key]),
          message: "is not a setting this file knows",
        }));
      }
      return [{ line: lineOf(issue.path), field: fieldName(issue.path), message: issue.message }];
    }),
  };
}

/** An alias (`*name`) that points nowhere, or into itself, is found only when the document is read out. */
function attempt<T>(read: () => T): { value: T } | { error: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function refuse(line: number, field: string, message: string): Parsed<never> {
  return { ok: false, problems: [{ line, field, message }] };
}

const fieldName = (path: PropertyKey[]) => path.map(String).join(".") || "the whole file";
