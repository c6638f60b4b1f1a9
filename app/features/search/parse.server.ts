import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";

/** More words, or longer ones, say nothing more; and each costs. */
const mostTerms = 10;
const longestWord = 40;
/** Too many words begin with fewer letters. */
const beginningLetters = 3;

/** One word, or several that stand beside each other. Quoted words mean themselves, not all that begins with them. */
export type Term = { words: string[]; isQuoted: boolean };

/** Begins with a letter or digit: a mark or picture alone is no word to the database either. */
const word = "[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*";
export const wordPattern = new RegExp(word, "gu");
/** What signs join without a space belongs together: I-95, U.S., AT&T, O'Neill. */
const joinedPattern = new RegExp(`${word}(?:[-‐‑.&'’]${word})*`, "gu");

/** A word as it is compared. */
export const plainWord = (text: string) => text.normalize("NFKC").toLowerCase();

/** Words are letters and digits, and so nothing that a reader types can be an operator of the database's. */
export function termsOf(query: string): Term[] {
  const wordsOf = (text: string) =>
    (text.match(wordPattern) ?? []).map((each) => [...each].slice(0, longestWord).join(""));
  const terms = plainWord(query)
    .split(/["“”]/)
    .flatMap((part, index, { length }) =>
      // Between two quotation marks; a last one that is never closed quotes nothing.
      index % 2 === 1 && index < length - 1
        ? [{ words: wordsOf(part), isQuoted: true }]
        : (part.match(joinedPattern) ?? []).map((each) => ({ words: wordsOf(each), isQuoted: false })),
    )
    .filter(({ words }) => words.length > 0);
  return [...new Map(terms.map((term) => [term.words.join(" "), term])).values()].slice(0, mostTerms);
}

/** One term as the database looks for it (tsquery): anywhere, or in titles only. */
export type ParsedTerm = {
  term: Term;
  /** Whether what begins with its last word is meant too. */
  isBeginning: boolean;
  exact: string;
  titleExact: string;
  wide: string;
  titleWide: string;
};

/**
 * Exact is the word in any of its forms, wide also what begins with it. Words that every text has, such as "the", are
 * left out, unless there are no others.
 */
export async function parseTerms(
  db: Database,
  terms: Term[],
  fewestLetters = beginningLetters,
): Promise<ParsedTerm[]> {
  const isBeginning = ({ words, isQuoted }: Term) =>
    !isQuoted && (words.at(-1)?.length ?? 0) >= fewestLetters;
  if (terms.length === 0) return [];
  const rows = await db
    .select({
      number: sql<number>`number::int`,
      exact: sql<string>`to_tsquery('harborline', exact)::text`,
      titleExact: sql<string>`to_tsquery('harborline', "titleExact")::text`,
      wide: sql<string>`to_tsquery('harborline_words', wide)::text`,
      titleWide: sql<string>`to_tsquery('harborline_words', "titleWide")::text`,
    })
    .from(
      sql`rows from (jsonb_to_recordset(${JSON.stringify(terms.map((term) => inputOf(term, isBeginning(term))))}::jsonb) as (exact text, "titleExact" text, wide text, "titleWide" text)) with ordinality as asked(exact, "titleExact", wide, "titleWide", number)`,
    );
  const parsed = rows
    .toSorted((one, other) => one.number - other.number)
    .flatMap(({ number, ...row }) => {
      const term = terms[number - 1];
      // The database knows fewer signs as letters than we do.
      return term && row.wide !== "" ? [{ term, row }] : [];
    });
  const telling = parsed.filter(({ row }) => row.exact !== "");
  if (telling.length === 0)
    return parsed.map(({ term, row }) => ({
      ...{ term, isBeginning: isBeginning(term) },
      ...{ exact: row.wide, titleExact: row.titleWide, wide: row.wide, titleWide: row.titleWide },
    }));
  return telling.map(({ term, row }) => ({
    ...{ term, isBeginning: isBeginning(term) },
    exact: row.exact,
    titleExact: row.titleExact,
    wide: isBeginning(term) ? `(${row.exact} | ${row.wide})` : row.exact,
    titleWide: isBeginning(term) ? `(${row.titleExact} | ${row.titleWide})` : row.titleExact,
  }));
}

/** Labels: A are the words of a title in their plain form, D the same as they were written. */
function inputOf({ words }: Term, isBeginning: boolean) {
  const phrase = (label: string, last = label) =>
    words.map((each, index) => `'${each}'${index === words.length - 1 ? last : label}`).join(" <-> ");
  return {
    exact: phrase(""),
    titleExact: phrase(":A"),
    wide: phrase("", isBeginning ? ":*" : ""),
    titleWide: phrase(":D", isBeginning ? ":*D" : ":D"),
  };
}
