/** What a reader sent: a row of its own table. */
export type SubmissionRef = { kind: "story" | "event" | "message"; id: string };

type TypedValues = Record<string, string>;

/** A form that the server refused: errors by field, and everything that was typed. */
export type Refusal = {
  kind: "refused";
  status: 422 | 429 | 503;
  summary: string;
  errors: Record<string, string>;
  typed: TypedValues;
  /** The token that was sent, or a new one if it is too old or not ours. */
  token?: string;
};

/** What the fields of a form contain, and what is wrong with them. */
export type FilledFields = Pick<Refusal, "typed" | "errors">;

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

export const hasFiles = (form: FormData): boolean =>
  [...form.values()].some((value) => value instanceof File && value.size > 0);

export const contactFormPath = "/contact/form";

/**
 * The category of news tips in the contact form, also in the city's contact-page.yaml. Tips are
 * confidential: the browser never stores them, and they go to the newsroom's address for tips.
 */
export const tipCategory = "tip";
