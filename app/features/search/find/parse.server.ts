import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { searchWords } from "../schema.server.ts";

/** More words, or longer ones, say nothing more; and each costs. */
const maxTerms = 10;
const maxWordLength = 40;
/** Too many words begin with fewer letters. */
const minPrefixLetters = 3;

/**
 * One word, or several that stand beside each other. Quoted words mean themselves, not all that
 * begins with them.
 */
type Term = {
  words: string[];
  isQuoted: boolean;
  /** The codes among the words, such as "i95". */
  codes: string[];
  /** Whether the term is one code and nothing else. */
  isCode: boolean;
};

/** Begins with a letter or digit: a mark or picture alone is no word to the database either. */
const word = "[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*";
export const wordPattern = new RegExp(word, "gu");
/** What signs join without a space belongs together: I-95, U.S., AT&T, O'Neill. */
const joinedPattern = new RegExp(`${word}(?:[-‐‑.&'’]${word})*(?:\\+{1,2}|#)?`, "gu");

const codePart = "(?:[a-z]{1,2}|[0-9]{1,4}[a-z]?)";
/** The function search_codes in the database has the same pattern. */
const codePattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${codePart}(?:[-‐‑&.]${codePart}){1,4}(?![\\p{L}\\p{N}])|[a-z]{1,2}(?:\\+{1,2}|#)(?![\\p{L}\\p{N}+#]))`,
  "giu",
);

/**
 * Short names whose meaning is lost when they are cut at their signs: I-95, AT&T, U.S., C++.
 * English has no use for "i", "at" and "t", so the index keeps such names whole, as words of their
 * own, without hyphens ("i95").
 */
export const codesIn = (text: string) =>
  [...text.matchAll(codePattern)].flatMap(({ 0: found, index }) => {
    const isCode = /[a-z]/i.test(found) && (/[0-9]/.test(found) || !/[-‐‑]/.test(found));
    return isCode
      ? [
          {
            code: found.toLowerCase().replaceAll(/[-‐‑]/g, ""),
            from: index,
            to: index + found.length,
          },
        ]
      : [];
  });

/** Without its signs nothing is left of "c++" but a letter. */
export const endsWithSign = (code: string) => /[+#]$/.test(code);

/** A word as it is compared. */
export const plainWord = (text: string) => text.normalize("NFKC").toLowerCase();

/**
 * Words are letters and digits, and so nothing that a reader types can be an operator of the
 * database's.
 */
export function splitTerms(query: string): Term[] {
  const toWords = (text: string) =>
    (text.match(wordPattern) ?? []).map((each) => [...each].slice(0, maxWordLength).join(""));
  const toTerm = (text: string, isQuoted: boolean): Term => {
    const trimmed = text.trim();
    const codes = codesIn(trimmed);
    const isCode = codes.some(({ from, to }) => from === 0 && to === trimmed.length);
    return { words: toWords(trimmed), isQuoted, codes: codes.map(({ code }) => code), isCode };
  };
  const terms = plainWord(query)
    .split(/["“”]/)
    .flatMap((part, index, { length }) =>
      // Between two quotation marks; a last one that is never closed quotes nothing.
      index % 2 === 1 && index < length - 1
        ? [toTerm(part, true)]
        : (part.match(joinedPattern) ?? []).map((each) => toTerm(each, false)),
    )
    .filter(({ words }) => words.length > 0);
  const keyOf = ({ words, codes }: Term) => [...words, ...codes].join(" ");
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()].slice(0, maxTerms);
}

/** One term as the database looks for it (tsquery): anywhere, or in titles only. */
export type ParsedTerm = {
  term: Term;
  /** Whether what begins with its last word is meant too. */
  isPrefix: boolean;
  /** Whether every text has it, such as "the". Such words count only where there are no others. */
  isCommon: boolean;
  exact: string;
  titleExact: string;
  /** In a title, and exactly as it was typed: "marketing" is not "market". */
  titleLiteral: string;
  wide: string;
  titleWide: string;
  /**
   * The site's own names among the words of the index: those the term only begins, and those it is.
   */
  ownNames: { begun: string[]; whole: string[] };
};

type Row = Record<"exact" | "titleExact" | "titleLiteral" | "wide" | "titleWide", string> & {
  ownNames: ParsedTerm["ownNames"];
  isWritten: boolean;
};

/**
 * Exact is the word in any of its forms, wide also what begins with it. Words that every text has,
 * such as "the", are left out, unless there are no others.
 */
export async function parseTerms(
  db: Database,
  terms: Term[],
  ownNames: string[],
  minLetters = minPrefixLetters,
): Promise<ParsedTerm[]> {
  const isPrefix = ({ words, isQuoted, isCode, codes }: Term) =>
    !isQuoted && ((isCode ? codes[0] : words.at(-1))?.length ?? 0) >= minLetters;
  if (terms.length === 0) return [];
  const asked = terms.map((term) => toQueryInput(term, isPrefix(term)));
  const names = ownNames.join(" ");
  const rows = await db
    .select({
      number: sql<number>`number::int`,
      exact: sql<string>`to_tsquery('harborline', exact)::text`,
      titleExact: sql<string>`to_tsquery('harborline', "titleExact")::text`,
      titleLiteral: sql<string>`to_tsquery('harborline_words', "titleLiteral")::text`,
      wide: sql<string>`to_tsquery('harborline_words', wide)::text`,
      titleWide: sql<string>`to_tsquery('harborline_words', "titleWide")::text`,
      isWritten: sql<boolean>`exists (
        select 1 from ${searchWords} where word = any(tsvector_to_array(to_tsvector('harborline_words', exact))))`,
      ownNames: sql<ParsedTerm["ownNames"]>`(
        select jsonb_build_object(
          'begun', coalesce(jsonb_agg(name) filter (where not "isWhole"), '[]'),
          'whole', coalesce(jsonb_agg(name) filter (where "isWhole"), '[]'))
        from unnest(tsvector_to_array(to_tsvector('harborline', ${names}) || to_tsvector('harborline_words', ${names}))) as name,
          lateral (select array_to_tsvector(array[name]) as vector) as vectors,
          lateral (select vector @@ (to_tsquery('harborline', exact) || to_tsquery('harborline_words', exact)) as "isWhole") as compared
        where "isWhole" or vector @@ to_tsquery('harborline_words', wide))`,
    })
    .from(
      sql`rows from (jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as (exact text, "titleExact" text, "titleLiteral" text, wide text, "titleWide" text)) with ordinality as asked(exact, "titleExact", "titleLiteral", wide, "titleWide", number)`,
    );
  const parsed = rows
    .toSorted((one, other) => one.number - other.number)
    .flatMap(({ number, ...row }) => {
      const term = terms[number - 1];
      // The database knows fewer signs as letters than we do.
      return term && (row.wide !== "" || term.codes.length > 0) ? [{ term, row }] : [];
    });
  const distinctive = parsed.filter(({ term, row }) => row.exact !== "" || term.codes.length > 0);
  const onlyCommon = distinctive.length === 0;
  return (onlyCommon ? parsed : distinctive).map(({ term, row }) => ({
    term,
    isPrefix: isPrefix(term),
    isCommon: onlyCommon,
    ownNames: row.ownNames,
    ...(onlyCommon
      ? { ...row, exact: row.wide, titleExact: row.titleWide }
      : term.codes.length > 0
        ? toCodeQueries(term, isPrefix(term), row)
        : toWordQueries(term, isPrefix(term), row)),
  }));
}

type Queries = Omit<Row, "ownNames" | "isWritten">;

function toWordQueries(term: Term, isPrefix: boolean, row: Row): Queries {
  const { exact, titleExact, titleLiteral } = row;
  if (!isPrefix) return { exact, titleExact, titleLiteral, wide: exact, titleWide: titleExact };
  const [wide, titleWide] = [`(${exact} | ${row.wide})`, `(${titleExact} | ${row.titleWide})`];
  // A word that occurs in no text can only be the beginning of one, whatever its stem: "har" does
  // not mean "harness".
  return isOnlyPrefix(term, row)
    ? { exact: wide, titleExact: titleWide, titleLiteral, wide, titleWide }
    : { exact, titleExact, titleLiteral, wide, titleWide };
}

/** The list of words has none with digits. */
const isOnlyPrefix = ({ words }: Term, { isWritten }: Row) =>
  words.length === 1 && !isWritten && !/\p{N}/u.test(words.join(""));

/**
 * A code by itself may also be written as words ("US 40"). Beside other words, both have to be
 * there.
 */
function toCodeQueries(term: Term, isPrefix: boolean, row: Row): Queries {
  const codes = (label = "") => term.codes.map((code) => `'${code}'${label}`).join(" & ");
  if (!term.isCode) {
    const both = (phrase: string, label?: string) =>
      phrase === "" ? `(${codes(label)})` : `(${phrase} & ${codes(label)})`;
    const [exact, titleExact] = [both(row.exact), both(row.titleExact, ":A")];
    return { exact, titleExact, titleLiteral: titleExact, wide: exact, titleWide: titleExact };
  }
  const either = (...queries: string[]) =>
    `(${queries.filter((query) => query !== "").join(" | ")})`;
  const isSpellable = !term.codes.some(endsWithSign);
  // The index of texts leaves out common words: of "I-95" it has just the number, which may be any
  // 95.
  const isComplete = [...row.exact.matchAll(/'[^']*'/g)].length === term.words.length;
  const titleLiteral = either(codes(":A"), isSpellable ? row.titleLiteral : "");
  const exact = either(codes(), titleLiteral, isSpellable && isComplete ? row.exact : "");
  const titleExact = either(titleLiteral, isSpellable && isComplete ? row.titleExact : "");
  return {
    exact,
    titleExact,
    titleLiteral,
    wide: isPrefix ? either(exact, codes(":*")) : exact,
    titleWide: isPrefix ? either(titleExact, codes(":*A")) : titleExact,
  };
}

/** Labels: A are the words of a title in their plain form, D the same as they were written. */
function toQueryInput({ words }: Term, isPrefix: boolean) {
  const phrase = (label: string, last = label) =>
    words
      .map((each, index) => `'${each}'${index === words.length - 1 ? last : label}`)
      .join(" <-> ");
  return {
    exact: phrase(""),
    titleExact: phrase(":A"),
    titleLiteral: phrase(":D"),
    wide: phrase("", isPrefix ? ":*" : ""),
    titleWide: phrase(":D", isPrefix ? ":*D" : ":D"),
  };
}

/**
 * The words of the index that a query must not match: the site's own names where a term only begins
 * them. Somebody who types "harbor" does not mean every text that mentions Harborline.
 */
export function hiddenWords(terms: ParsedTerm[]): string[] {
  const whole = new Set(terms.flatMap(({ ownNames }) => ownNames.whole));
  return [...new Set(terms.flatMap(({ ownNames }) => ownNames.begun))].filter(
    (name) => !whole.has(name),
  );
}

/** A query for the hidden words. */
const matchAny = (hidden: string[]) =>
  hidden.map((word) => `'${word.replaceAll(/['\\]/g, "$&$&")}'`).join(" | ");

/** What a row is searched by: its words, without those that are hidden. */
export const visibleWords = (hidden: string[]): SQL =>
  hidden.length === 0
    ? sql`"searchVector"`
    : sql`case when "searchVector" @@ ${matchAny(hidden)}::tsquery
        then ts_delete("searchVector", array(select jsonb_array_elements_text(${JSON.stringify(hidden)}::jsonb))) else "searchVector" end`;

/**
 * The first comparison is for the index, the second for rows that may match only by a hidden word.
 */
export const matches = (query: string, hidden: string[]): SQL =>
  hidden.length === 0
    ? sql`"searchVector" @@ ${query}::tsquery`
    : sql`"searchVector" @@ ${query}::tsquery and ${visibleWords(hidden)} @@ ${query}::tsquery`;
