import { extname } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { slugPattern } from "../../../lib/text/slug.ts";
import {
  articleFields,
  author,
  refuseEarlyChanges,
} from "../../../site-files/article-fields.server.ts";
import { type CsvRecord, parseCsv } from "../../../site-files/csv.server.ts";
import type { Parsed, Problem } from "../../../site-files/site-file.server.ts";
import { createLineFinder } from "../../../site-files/site-yaml.server.ts";
import { checkPostNames, postFields, toContractNames } from "../files.server.ts";

const maxBodyCharacters = 1_000_000;

const postShape = {
  slug: z
    .string()
    .max(200, "must have at most 200 characters")
    .regex(slugPattern, "must be lowercase letters, digits and hyphens, such as my-post"),
  domain: z.string().optional(),
  ...postFields,
  author: author.optional(),
  updated: articleFields.updated,
  corrections: articleFields.corrections,
  blog: z
    .string()
    .refine((body) => body.trim() !== "", "must not be empty")
    .max(maxBodyCharacters, "must have at most 1,000,000 characters"),
  state: z.enum(["published", "draft"], "must be published or draft").default("published"),
};

/** A post in a file to import. A post without a domain belongs to this city. */
const importedPost = z
  .strictObject(postShape)
  .superRefine((post, context) => {
    checkPostNames(post, context);
    refuseEarlyChanges(post, context, "post");
  })
  .transform(toContractNames);
export type ImportedPost = z.output<typeof importedPost> & { line: number };

/** Parses the posts in a CSV or JSON file. One invalid post makes the entire file fail. */
export function parsePosts(name: string, source: string): Parsed<ImportedPost[]> {
  switch (extname(name).toLowerCase()) {
    case ".csv":
      return parseCsvPosts(source);
    case ".json":
      return parseJsonPosts(source);
    default:
      return refuse([
        {
          line: 1,
          field: "file name",
          message: "must end in .csv or .json; a .md file is a post when it is in the folder blog/",
        },
      ]);
  }
}

function parseCsvPosts(source: string): Parsed<ImportedPost[]> {
  const rows = parseCsv(source);
  if ("problem" in rows) return refuse([rows.problem]);
  const unknown = rows.columns.filter((column) => !Object.hasOwn(postShape, column));
  if (unknown.length > 0)
    return refuse(
      unknown.map((field) => ({ line: 1, field, message: "is not a column of a post" })),
    );
  return checkRecords(rows.records, ({ line }) => line);
}

function parseJsonPosts(source: string): Parsed<ImportedPost[]> {
  let values: unknown;
  try {
    values = JSON.parse(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = Number(/\(line (\d+) /.exec(message)?.[1] ?? 1);
    return refuse([{ line, field: "JSON", message }]);
  }
  // Every JSON document is also YAML, and the YAML parser knows the line of each value. We use it
  // only to find the lines of problems.
  const lines = new LineCounter();
  const lineAt = createLineFinder(parseDocument(source, { lineCounter: lines }), lines);
  const isList = Array.isArray(values);
  const list: unknown[] = Array.isArray(values) ? values : [values];
  const records = list.map((entry, index) => ({
    line: isList ? lineAt([index]) : 1,
    values: removeEmptyFields(entry),
  }));
  return checkRecords(records, (_record, index, path) => lineAt(isList ? [index, ...path] : path));
}

type SourceRecord = { line: number; values: unknown };

/** Parses every record as a post, and checks that no slug appears twice. */
function checkRecords<R extends SourceRecord | CsvRecord>(
  records: R[],
  findLine: (record: R, index: number, path: PropertyKey[]) => number,
): Parsed<ImportedPost[]> {
  const problems: Problem[] = [];
  const posts: ImportedPost[] = [];
  const linesBySlug = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    const parsed = importedPost.safeParse(record.values, { reportInput: true });
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues.flatMap(toProblems))
        problems.push({
          line: findLine(record, index, path),
          field: path.map(String).join(".") || "post",
          message,
        });
      continue;
    }
    const { slug } = parsed.data;
    const firstLine = linesBySlug.get(slug);
    if (firstLine !== undefined)
      problems.push({
        line: record.line,
        field: "slug",
        message: `"${slug}" is already used on line ${firstLine}`,
      });
    linesBySlug.set(slug, record.line);
    posts.push({ ...parsed.data, line: record.line });
  }
  if (problems.length > 0) return refuse(problems);
  if (posts.length === 0)
    return refuse([{ line: 1, field: "the file", message: "contains no posts" }]);
  return { ok: true, value: posts };
}

/** Turns a schema issue into one problem for each field that it is about. */
function toProblems(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], message: "is not a field of a post" }));
  if (issue.code === "invalid_type")
    return [{ path, message: issue.input === undefined ? "is missing" : "must be text in quotes" }];
  return [{ path, message }];
}

/** Removes empty fields: an empty value counts as missing, not as invalid. */
function removeEmptyFields(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null && field !== ""),
  );
}

const refuse = (problems: Problem[]): Parsed<never> => ({ ok: false, problems });
