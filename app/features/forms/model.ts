/** What the reader typed, by field name. */
type TypedValues = Record<string, string>;

/**
 * The result of a form that the server refused: a summary, an error for each field, and everything
 * that the reader typed.
 */
export type Refusal = {
  kind: "refused";
  status: 422 | 429 | 503;
  summary: string;
  errors: Record<string, string>;
  typed: TypedValues;
};

/** An email address can have at most this many characters (RFC 5321). */
export const maxEmailLength = 254;

/** A field that people do not see and leave empty. Spam bots fill in every field they find. */
export const spamTrapField = "website";
export const tokenField = "token";

/** Returns what the reader typed, without files and without the fields that the form adds. */
export const readTypedValues = (form: FormData): TypedValues =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === "string" && name !== tokenField && name !== spamTrapField
        ? [[name, value]]
        : [],
    ),
  );

/**
 * The category of news tips, which are confidential: a browser never stores them, and they go to
 * the newsroom's email address for tips. Its name is also in the city's contact-page.yaml.
 */
export const tipCategory = "tip";
