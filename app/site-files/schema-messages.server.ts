import type { z } from "zod";
import { didYouMean } from "../lib/text/nearest.ts";

/** A schema's own message about a missing value begins with the same words. */
export const missingMessage = "is missing";

/**
 * Returns our message for a wrong value if the schema has none. It completes the sentence "<field>
 * …".
 */
export function toSchemaMessage(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  if (input === undefined) return missingMessage;
  switch (issue.code) {
    case "invalid_type":
      return toTypeMessage(issue.expected);
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

function toTypeMessage(expected: string): string {
  switch (expected) {
    case "string":
      return "must be text: put it in quotes";
    case "array":
      return "must be a list: begin each entry on a separate line, with a - and a space";
    case "object":
    case "record":
      return "must consist of settings, such as title: …";
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

/** The names of the settings that a group may have. `path` leads to the group. */
export function listKnownKeys(schema: z.core.$ZodType, path: PropertyKey[]): string[] {
  const [step, ...rest] = path;
  // Zod documents this union of all schema types for code that inspects a schema.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      if (step === undefined) return Object.keys(def.shape);
      const field = def.shape[String(step)];
      return field ? listKnownKeys(field, rest) : [];
    }
    case "array":
      return step === undefined ? [] : listKnownKeys(def.element, rest);
    case "record":
      return step === undefined ? [] : listKnownKeys(def.valueType, rest);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return listKnownKeys(def.innerType, path);
    case "pipe":
      return listKnownKeys(def.in, path);
    case "union":
      return def.options.flatMap((option) => listKnownKeys(option, path));
    default:
      return [];
  }
}

export const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
