/** What a reader typed, by the name of the field. */
type Typed = Record<string, string>;

/**
 * A form that was not taken: why, in one sentence and beside each field, and all that was typed.
 */
export type Refusal = {
  kind: "refused";
  status: 422 | 429 | 503;
  summary: string;
  errors: Record<string, string>;
  typed: Typed;
};

/** A field that people do not see and must leave empty. Programs fill in what they find. */
export const spamTrapField = "website";
export const tokenField = "token";
