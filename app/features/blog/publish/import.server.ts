import { extname } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { type CsvRecord, parseCsv } from "../../../lib/csv.server.ts";
import { type Parsed, type Problem, parseFrontMatter } from "../../../lib/site/site-file.server.ts";
import { postFields } from "../files.server.ts";
import { slugPattern } from "../model.ts";

const maxBodyCharacters = 1_000_000;

const shape = {
  slug: z
    .string()
    .max(200, "must have at most 200 characters")
    .regex(slugPattern, "must be small letters, digits and hyphens, such as my-post"),
  domain: z.string().optional(),
  ...postFields,
  blog: z
    .string()
    .refine((body) => body.trim() !== "", "must not be empty")
    .max(maxBodyCharacters, "must have at most 1,000,000 characters"),
  state: z.enum(["published", "draft"], "must be published or draft").default("published"),
};

/** A post of a file that is to be imported. Without a domain it is this city's. */
const importedPost = z.strictObject(shape);
export type ImportedPost = z.output<typeof importedPost> & { line: number };

/** Reads the posts of a Markdown, CSV or JSON file. All of them are good, or none is given. */
export function readPosts(name: string, source: string): Parsed<ImportedPost[]> {
  switch (extname(name).toLowerCase()) {
    case ".md":
      return readMarkdown(name, source);
    case ".csv":
      return readCsv(source);
    case ".json":
      return readJson(source);
    default:
      return refuse([{ line: 1, field: "file name", message: "must end in .md, .csv or .json" }]);
  }
}

function readMarkdown(name: string, source: string): Parsed<ImportedPost[]> {
  const { blog: _blog, slug, ...front } = shape;
  const parsed = parseFrontMatter(source, z.strictObject({ slug: slug.optional(), ...front }));
  if (!parsed.ok) return parsed;
  const slugOfName = name.replace(/^.*[/\\]/, "").replace(/\.md$/i, "");
  const { front: settings, body } = parsed.value;
  return checkRecords(
    [{ line: 1, values: { ...settings, slug: settings.slug ?? slugOfName, blog: body } }],
    () => 1,
  );
}

function readCsv(source: string): Parsed<ImportedPost[]> {
  const rows = parseCsv(source);
  if ("problem" in rows) return refuse([rows.problem]);
  const unknown = rows.columns.filter((column) => !Object.hasOwn(shape, column));
  if (unknown.length > 0)
    return refuse(
      unknown.map((field) => ({ line: 1, field, message: "is not a column of a post" })),
    );
  return checkRecords(rows.records, ({ line }) => line);
}

function readJson(source: string): Parsed<ImportedPost[]> {
  const lines = new LineCounter();
  let values: unknown;
  try {
    values = JSON.parse(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = Number(/\(line (\d+) /.exec(message)?.[1] ?? 1);
    return refuse([{ line, field: "JSON", message }]);
  }
  // JSON is YAML, and the YAML parser knows on which line each value stands. Only needed to say
  // what is wrong.
  const document = parseDocument(source, { lineCounter: lines });
  const lineAt = (path: PropertyKey[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const isList = Array.isArray(values);
  const list: unknown[] = Array.isArray(values) ? values : [values];
  const records = list.map((entry, index) => ({
    line: isList ? lineAt([index]) : 1,
    values: withoutEmpty(entry),
  }));
  return checkRecords(records, (_record, index, path) => lineAt(isList ? [index, ...path] : path));
}

type Source = { line: number; values: unknown };

/** Checks every record, and that no slug is there twice. */
function checkRecords<R extends Source | CsvRecord>(
  records: R[],
  lineOf: (record: R, index: number, path: PropertyKey[]) => number,
): Parsed<ImportedPost[]> {
  const problems: Problem[] = [];
  const posts: ImportedPost[] = [];
  const seen = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    const parsed = importedPost.safeParse(record.values, { reportInput: true });
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues.flatMap(toProblems))
        problems.push({
          line: lineOf(record, index, path),
          field: path.map(String).join(".") || "post",
          message,
        });
      continue;
    }
    const { slug } = parsed.data;
    const before = seen.get(slug);
    if (before !== undefined)
      problems.push({
        line: record.line,
        field: "slug",
        message: `"${slug}" is already on line ${before}`,
      });
    seen.set(slug, record.line);
    posts.push({ ...parsed.data, line: record.line });
  }
  if (problems.length > 0) return refuse(problems);
  if (posts.length === 0)
    return refuse([{ line: 1, field: "the whole file", message: "holds no post" }]);
  return { ok: true, value: posts };
}

/** What is wrong, said of the field it is wrong with. */
function toProblems(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], message: "is not a field of a post" }));
  if (issue.code === "invalid_type")
    return [{ path, message: issue.input === undefined ? "is missing" : "must be text in quotes" }];
  return [{ path, message }];
}

/** An empty or missing value says nothing; that is not the same as a wrong one. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null && field !== ""),
  );
}

const refuse = (problems: Problem[]): Parsed<never> => ({ ok: false, problems });
