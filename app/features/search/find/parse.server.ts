import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";

/** More terms would not improve the results, and each term costs time. */
const maxTerms = 10;
/** Longer words are cut to this length. */
const maxWordLength = 40;
/** A word with fewer letters does not match as a prefix, because too many words begin with it. */
const minPrefixLetters = 3;

/** One word, or several that must be next to each other. Quoted words do not match as prefixes. */
type Term = {
  words: string[];
  isQuoted: boolean;
  /** The codes among the words, such as "i95" (see `findCodes`). */
  codes: string[];
  /** Whether the entire term is one code. */
  isCode: boolean;
};

/**
 * A word begins with a letter or digit. As in the database, a lone accent or emoji is not a word.
 */
const word = "[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*";
export const wordPattern = new RegExp(word, "gu");
/** Words that punctuation joins without a space belong together: I-95, U.S., AT&T, O'Neill. */
const joinedPattern = new RegExp(`${word}(?:[-‐‑.&'’]${word})*(?:\\+{1,2}|#)?`, "gu");

const codePart = "(?:[a-z]{1,2}|[0-9]{1,4}[a-z]?)";
/** The database function search_codes uses the same pattern. */
const codePattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${codePart}(?:[-‐‑&.]${codePart}){1,4}(?![\\p{L}\\p{N}])|[a-z]{1,2}(?:\\+{1,2}|#)(?![\\p{L}\\p{N}+#]))`,
  "giu",
);

/**
 * Finds codes: short names that lose their meaning when they are split at punctuation, such as
 * I-95, AT&T, U.S. and C++. Their parts ("i", "at", "t") are stop words, so the index also stores
 * each code as one word, without hyphens ("i95").
 */
export const findCodes = (text: string) =>
  [...text.matchAll(codePattern)].flatMap(({ 0: match, index }) => {
    const isCode = /[a-z]/i.test(match) && (/[0-9]/.test(match) || !/[-‐‑]/.test(match));
    return isCode
      ? [
          {
            code: match.toLowerCase().replaceAll(/[-‐‑]/g, ""),
            from: index,
            to: index + match.length,
          },
        ]
      : [];
  });

/** Whether a code ends with a sign. Without the sign, "c++" would be only "c". */
export const endsWithSign = (code: string) => /[+#]$/.test(code);

export const normalizeWord = (text: string) => text.normalize("NFKC").toLowerCase();

/**
 * Splits a query into terms. Words consist of letters and digits, so nothing that a reader types
 * can act as a database operator.
 */
export function splitTerms(query: string): Term[] {
  const toWords = (text: string) =>
    (text.match(wordPattern) ?? []).map((each) => [...each].slice(0, maxWordLength).join(""));
  const toTerm = (text: string, isQuoted: boolean): Term => {
    const trimmed = text.trim();
    const codes = findCodes(trimmed);
    const isCode = codes.some(({ from, to }) => from === 0 && to === trimmed.length);
    return { words: toWords(trimmed), isQuoted, codes: codes.map(({ code }) => code), isCode };
  };
  const terms = normalizeWord(query)
    .split(/["“”]/)
    .flatMap((part, index, { length }) =>
      // The parts with an odd index are between two quotation marks, except the part after a
      // last mark that is never closed.
      index % 2 === 1 && index < length - 1
        ? [toTerm(part, true)]
        : (part.match(joinedPattern) ?? []).map((each) => toTerm(each, false)),
    )
    .filter(({ words }) => words.length > 0);
  const toKey = ({ words, codes }: Term) => [...words, ...codes].join(" ");
  return [...new Map(terms.map((term) => [toKey(term), term])).values()].slice(0, maxTerms);
}

/** The queries for a term, as tsquery. Those whose name begins with `title` match only titles. */
export type Queries = {
  /** Matches the words in any of their forms. */
  exact: string;
  titleExact: string;
  /** Like `exact`, but also matches words that begin with the last word. */
  wide: string;
  titleWide: string;
};

export type ParsedTerm = Queries & {
  term: Term;
  /** Whether the query consists only of stop words, such as "the". */
  isCommon: boolean;
  /** Whether the last word also matches longer words that begin with it. */
  isPrefix: boolean;
  /**
   * The words of the site's name that begin with the term (`partial`) or are the term (`whole`).
   */
  ownNames: { partial: string[]; whole: string[] };
};

type Row = Queries & Pick<ParsedTerm, "ownNames">;

/**
 * Lets the database parse the terms, because only the database knows stems and stop words. Stop
 * words are left out, unless the query has no other words.
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
  const inputs = terms.map((term) => toQueryInput(term, isPrefix(term)));
  const names = ownNames.join(" ");
  const rows = await db
    .select({
      number: sql<number>`number::int`,
      exact: sql<string>`to_tsquery('harborline', exact)::text`,
      titleExact: sql<string>`to_tsquery('harborline', "titleExact")::text`,
      wide: sql<string>`to_tsquery('harborline_words', wide)::text`,
      titleWide: sql<string>`to_tsquery('harborline_words', "titleWide")::text`,
      ownNames: sql<ParsedTerm["ownNames"]>`(
        select jsonb_build_object(
          'partial', coalesce(jsonb_agg(name) filter (where not "isComplete"), '[]'),
          'whole', coalesce(jsonb_agg(name) filter (where "isComplete"), '[]'))
        from unnest(tsvector_to_array(to_tsvector('harborline', ${names}) || to_tsvector('harborline_words', ${names}))) as name,
          lateral (select array_to_tsvector(array[name]) as vector) as vectors,
          lateral (select vector @@ (to_tsquery('harborline', exact) || to_tsquery('harborline_words', exact)) as "isComplete") as compared
        where "isComplete" or vector @@ to_tsquery('harborline_words', wide))`,
    })
    .from(
      sql`rows from (jsonb_to_recordset(${JSON.stringify(inputs)}::jsonb) as (exact text, "titleExact" text, wide text, "titleWide" text)) with ordinality as inputs(exact, "titleExact", wide, "titleWide", number)`,
    );
  const parsed = rows
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ number, ...row }) => {
      const term = terms[number - 1];
      // Some characters are letters to us but not to the database, so a term may be empty there.
      return term && (row.wide !== "" || term.codes.length > 0) ? [{ term, row }] : [];
    });
  const distinctiveTerms = parsed.filter(
    ({ term, row }) => row.exact !== "" || term.codes.length > 0,
  );
  const hasOnlyCommon = distinctiveTerms.length === 0;
  return (hasOnlyCommon ? parsed : distinctiveTerms).map(({ term, row }) => ({
    term,
    isCommon: hasOnlyCommon,
    isPrefix: isPrefix(term),
    ownNames: row.ownNames,
    ...(hasOnlyCommon
      ? { ...row, exact: row.wide, titleExact: row.titleWide }
      : term.codes.length > 0
        ? toCodeQueries(term, isPrefix(term), row)
        : toWordQueries(isPrefix(term), row)),
  }));
}

function toWordQueries(isPrefix: boolean, row: Row): Queries {
  const { exact, titleExact } = row;
  if (!isPrefix) return { exact, titleExact, wide: exact, titleWide: titleExact };
  const [wide, titleWide] = [`(${exact} | ${row.wide})`, `(${titleExact} | ${row.titleWide})`];
  return { exact, titleExact, wide, titleWide };
}

/**
 * Builds the queries for a term with codes. A code that is the entire term may also be written as
 * words ("US 40"). In a longer term, the code and the words must match.
 */
function toCodeQueries(term: Term, isPrefix: boolean, row: Row): Queries {
  const joinCodes = (label = "") => term.codes.map((code) => `'${code}'${label}`).join(" & ");
  if (!term.isCode) {
    const matchBoth = (phrase: string, label?: string) =>
      phrase === "" ? `(${joinCodes(label)})` : `(${phrase} & ${joinCodes(label)})`;
    const [exact, titleExact] = [matchBoth(row.exact), matchBoth(row.titleExact, ":A")];
    return { exact, titleExact, wide: exact, titleWide: titleExact };
  }
  const matchEither = (...queries: string[]) =>
    `(${queries.filter((query) => query !== "").join(" | ")})`;
  const isSpellable = !term.codes.some(endsWithSign);
  // The index leaves out stop words. From "I-95" it has only the number, which would match any 95.
  const isComplete = [...row.exact.matchAll(/'[^']*'/g)].length === term.words.length;
  const hasWords = isSpellable && isComplete;
  const exact = matchEither(joinCodes(), hasWords ? row.exact : "");
  const titleExact = matchEither(joinCodes(":A"), hasWords ? row.titleExact : "");
  return {
    exact,
    titleExact,
    wide: isPrefix ? matchEither(exact, joinCodes(":*")) : exact,
    titleWide: isPrefix ? matchEither(titleExact, joinCodes(":*A")) : titleExact,
  };
}

/**
 * Returns the queries that the database parses. In the index, label A marks the stems of a title's
 * words, and label D the same words as written.
 */
function toQueryInput({ words }: Term, isPrefix: boolean) {
  const joinWords = (label: string, lastLabel = label) =>
    words
      .map((each, index) => `'${each}'${index === words.length - 1 ? lastLabel : label}`)
      .join(" <-> ");
  return {
    exact: joinWords(""),
    titleExact: joinWords(":A"),
    wide: joinWords("", isPrefix ? ":*" : ""),
    titleWide: joinWords(":D", isPrefix ? ":*D" : ":D"),
  };
}

/**
 * Returns the words that a query must not match: the words of the site's name that only begin with
 * a term. A reader who types "harbor" does not want every page that mentions Harborline.
 */
export function listHiddenWords(terms: ParsedTerm[]): string[] {
  const fullMatches = new Set(terms.flatMap(({ ownNames }) => ownNames.whole));
  return [...new Set(terms.flatMap(({ ownNames }) => ownNames.partial))].filter(
    (name) => !fullMatches.has(name),
  );
}

const matchAny = (words: string[]) =>
  words.map((word) => `'${word.replaceAll(/['\\]/g, "$&$&")}'`).join(" | ");

const deleteWords = (words: string[]) =>
  sql`ts_delete("searchVector", array(select jsonb_array_elements_text(${JSON.stringify(words)}::jsonb)))`;

export const selectVisibleWords = (hidden: string[]): SQL =>
  hidden.length === 0
    ? sql`"searchVector"`
    : sql`case when "searchVector" @@ ${matchAny(hidden)}::tsquery then ${deleteWords(hidden)} else "searchVector" end`;

/**
 * The condition for rows that match a query. With hidden words, its first part can use the index,
 * and its second part removes rows that match only by a hidden word.
 */
export const matches = (query: string, hidden: string[]): SQL =>
  hidden.length === 0
    ? sql`"searchVector" @@ ${query}::tsquery`
    : sql`"searchVector" @@ ${query}::tsquery and (not "searchVector" @@ ${matchAny(hidden)}::tsquery or ${deleteWords(hidden)} @@ ${query}::tsquery)`;
