import type { z } from "zod";
import { didYouMean } from "../lib/text/nearest.ts";

/** A schema's own message about a missing value begins with the same words. */
export const missingMessage = "is missing";

/** Used only if no example can be made from the schema. */
const groupMessage = "must be a group of settings, indented below its name";

/**
 * Returns our message for a wrong value if the schema has none. It completes the sentence "<field>
 * …".
 */
export function toSchemaMessage(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  if (input === undefined) return missingMessage;
  switch (issue.code) {
    case "invalid_type":
      return toTypeMessage(issue.expected, input);
    case "too_small":
    case "too_big":
      return toSizeMessage(issue);
    case "invalid_value": {
      const known = issue.values.map(String);
      return `must be one of ${known.join(", ")}${typeof input === "string" ? didYouMean(input, known) : ""}`;
    }
    case "unrecognized_keys":
      return "is not a setting of this file";
    case "not_multiple_of":
    case "invalid_format":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "is not a valid value for this setting";
    default:
      return issue satisfies never;
  }
}

function toTypeMessage(expected: string, input: unknown): string {
  switch (expected) {
    case "string":
      if (Array.isArray(input))
        return "must be text, not a list: put it in quotes if it begins with [";
      if (isGroup(input)) return "must be text: put it in quotes if it contains a colon";
      // The YAML parser has dropped trailing zeros of the number, so the message cannot quote it.
      if (typeof input === "number" && !Number.isInteger(input))
        return "must be text: put it in quotes";
      return `must be text: put it in quotes: "${String(input)}"`;
    case "array":
      if (typeof input !== "string") return "must be a list";
      return /^[-*•–—]/.test(input)
        ? "must be a list: begin each entry on a separate line, with a - and a space"
        : `must be a list, such as [${input.slice(0, 40)}]`;
    case "object":
    case "record":
      return groupMessage;
    case "boolean":
      return "must be true or false";
    case "int":
    case "number":
      return "must be a number, without quotes";
    default:
      return "is not a valid value for this setting";
  }
}

function toSizeMessage(
  issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>,
): string {
  const bound = issue.code === "too_small" ? issue.minimum : issue.maximum;
  const quantifier = issue.exact ? "exactly" : issue.code === "too_small" ? "at least" : "at most";
  if (issue.origin === "array" && Array.isArray(issue.input))
    return `must have ${quantifier} ${bound} ${bound === 1 ? "entry" : "entries"}, but it has ${issue.input.length}`;
  if (issue.origin === "string")
    return `must have ${quantifier} ${bound} ${bound === 1 ? "character" : "characters"}`;
  return `must be ${quantifier} ${bound}`;
}

export const listKnownKeys = (schema: z.core.$ZodType, path: PropertyKey[]): string[] =>
  listFields(schema, path).map(([key]) => key);

type Field = [key: string, schema: z.core.$ZodType];

function listFields(schema: z.core.$ZodType, path: PropertyKey[]): Field[] {
  const [step, ...rest] = path;
  // Zod documents this union of all schema types for code that inspects a schema.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      if (step === undefined) return Object.entries(def.shape);
      const field = def.shape[String(step)];
      return field ? listFields(field, rest) : [];
    }
    case "array":
      return step === undefined ? [] : listFields(def.element, rest);
    case "record":
      return step === undefined ? [] : listFields(def.valueType, rest);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return listFields(def.innerType, path);
    case "pipe":
      return listFields(def.in, path);
    case "union":
      return def.options.flatMap((option) => listFields(option, path));
    default:
      return [];
  }
}

function isRequiredText(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "union" ? def.options.every(isRequiredText) : def.type === "string";
}

function isRequired(schema: z.core.$ZodType): boolean {
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  return type !== "optional" && type !== "default" && type !== "prefault";
}

/** Longer text is not repeated in a message. */
const maxExampleLength = 60;

/** Returns the text as it is written in YAML, or "…" if it would need quotes or is long. */
const toExample = (value: unknown) =>
  typeof value === "string" &&
  value.length <= maxExampleLength &&
  /^[\w/][^:#"'{}[\],]*$/.test(value)
    ? value
    : "…";

/**
 * Explains a value in place of a group of settings, with an example. Returns null for other
 * problems. `isSentence` is true for an entry of a list, which has no name that could begin the
 * message.
 */
export function explainGroup(
  issue: z.core.$ZodIssue,
  schema: z.core.$ZodType,
  value: unknown,
): { isSentence: boolean; message: string } | null {
  if (issue.code !== "invalid_type" || (value !== null && issue.message !== groupMessage))
    return null;
  const fields = listFields(schema, issue.path);
  const [first] = fields;
  const name = issue.path.at(-1);
  if (first === undefined || name === undefined) return null;
  if (typeof name === "number") {
    const [, key, after] = /^([\w-]{1,40}):(\S.*)$/s.exec(String(value)) ?? [];
    if (key !== undefined && after !== undefined && fields.some(([each]) => each === key))
      return {
        isSentence: true,
        message: `put a space after the colon: ${key}: ${toExample(after)}`,
      };
    const example = `"- ${first[0]}: ${isRequiredText(first[1]) ? toExample(value) : "…"}"`;
    return {
      isSentence: true,
      message:
        value === null
          ? `this entry of the list is empty: write ${example}, or delete the -`
          : `an entry of this list must have settings: write ${example}`,
    };
  }
  const required = fields.filter(([, field]) => isRequired(field));
  if (
    value === null ||
    required.length === 0 ||
    !required.every(([, field]) => isRequiredText(field))
  )
    return null;
  // The text that was written is probably the path or the file, which is the last one.
  const settings = required.map(
    ([key], index) => `${key}: ${index === required.length - 1 ? toExample(value) : "…"}`,
  );
  return {
    isSentence: false,
    message: `must have settings: write ${String(name)}: { ${settings.join(", ")} }`,
  };
}

export function isListSchema(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "array":
      return true;
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return isListSchema(def.innerType);
    case "pipe":
      return isListSchema(def.in);
    default:
      return false;
  }
}

export const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
