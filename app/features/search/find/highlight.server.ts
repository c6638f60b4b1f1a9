import { sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { TextPart } from "../model.ts";
import {
  codesIn,
  endsWithSign,
  hiddenWords,
  type ParsedTerm,
  plainWord,
  visibleWords,
  wordPattern,
} from "./parse.server.ts";

/** A match in a text: its start, its end, and the index of the term that matched. */
export type Hit = { from: number; to: number; term: number };
type FindHits = (text: string) => Hit[];

/** For each term and each word of the term, in order: all words in the texts that match it. */
type WordForms = Set<string>[][];

const splitWords = (text: string) =>
  [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    plain: plainWord(word),
    from: index,
    to: index + word.length,
  }));

/** All forms of a word, with or without accents, begin with the same letter. */
const firstLetter = (word: string) => word.normalize("NFKD").charAt(0);

/**
 * Finds the matches of the index again in the texts. Postgres's ts_headline splits words
 * differently from our index, so we do not use it. The database tells us which words of the texts
 * are forms of the query's words, and we find their positions ourselves.
 */
export async function createHitFinder(
  db: Database,
  terms: ParsedTerm[],
  texts: string[],
): Promise<FindHits> {
  const letters = new Set(terms.flatMap(({ term }) => term.words.map(firstLetter)));
  const words = new Set(texts.flatMap((text) => splitWords(text).map(({ plain }) => plain)));
  const candidates = [...words].filter((word) => letters.has(firstLetter(word)));
  // Every word matches itself. The database would find only half of "U.S."
  const wordForms: WordForms = terms.map(({ term }) => term.words.map((word) => new Set([word])));
  const wordQueries = terms.flatMap(({ term, isPrefix }, number) =>
    term.words.map((word, place) => ({
      number,
      place,
      exact: `'${word}'`,
      wide: isPrefix && place === term.words.length - 1 ? `'${word}':*` : `'${word}'`,
    })),
  );
  const rows = await db
    .select({ word: sql<string>`word`, number: sql<number>`number`, place: sql<number>`place` })
    .from(
      sql`(select word, ${visibleWords(hiddenWords(terms))} as vector
          from jsonb_array_elements_text(${JSON.stringify(candidates)}::jsonb) as word,
            lateral (select to_tsvector('harborline', word) || to_tsvector('harborline_words', word) as "searchVector") as vectors) as candidates
        join (select number, place, to_tsquery('harborline', exact) || to_tsquery('harborline_words', wide) as query
          from jsonb_to_recordset(${JSON.stringify(wordQueries)}::jsonb) as input(number int, place int, exact text, wide text)) as word_queries
        on vector @@ query`,
    );
  for (const { word, number, place } of rows) wordForms[number]?.[place]?.add(word);
  // As a word, "c++" would match every "c".
  for (const [number, { term }] of terms.entries())
    if (term.codes.some(endsWithSign)) wordForms[number] = [];
  return (text) =>
    [...findWordHits(text, wordForms), ...findCodeHits(text, terms)].sort(
      (one, other) => one.from - other.from,
    );
}

function findCodeHits(text: string, terms: ParsedTerm[]): Hit[] {
  if (terms.every(({ term }) => term.codes.length === 0)) return [];
  return codesIn(text).flatMap(({ code, from, to }) => {
    const term = terms.findIndex((each) =>
      each.term.codes.some((typed) => (each.isPrefix ? code.startsWith(typed) : code === typed)),
    );
    return term < 0 ? [] : [{ from, to, term }];
  });
}

function findWordHits(text: string, wordForms: WordForms): Hit[] {
  const words = splitWords(text);
  return words.flatMap(({ from }, start) =>
    wordForms.flatMap((termWords, term) => {
      if (termWords.length === 0) return [];
      const last = words[start + termWords.length - 1];
      const isMatch = termWords.every((forms, place) =>
        forms.has(words[start + place]?.plain ?? ""),
      );
      return last && isMatch ? [{ from, to: last.to, term }] : [];
    }),
  );
}

/** Splits a part of a text into matches and the text between them. */
export function splitAtHits(text: string, hits: Hit[], from = 0, to = text.length): TextPart[] {
  const parts: TextPart[] = [];
  let at = from;
  for (const hit of hits.filter((each) => each.from >= from && each.to <= to)) {
    if (hit.from < at) continue;
    parts.push(
      { text: text.slice(at, hit.from), isHit: false },
      { text: text.slice(hit.from, hit.to), isHit: true },
    );
    at = hit.to;
  }
  parts.push({ text: text.slice(at, to), isHit: false });
  return parts.filter((part) => part.text !== "");
}

/** A text of at most this length is shown whole. */
const maxWholeLength = 240;
/** The length of an excerpt around a match, and how much of it is before the match. */
const excerptLength = 180;
const leadLength = 50;

/**
 * The parts of a text that contain the most terms, or its beginning if it contains none. An
 * ellipsis marks omitted text.
 */
export function excerpt(fullText: string, findHits: FindHits): TextPart[] {
  const text = fullText.trim();
  const hits = findHits(text);
  if (text.length <= maxWholeLength) return splitAtHits(text, hits);
  const parts = partsAround(text, hits);
  const ellipsis = (text: string): TextPart => ({ text, isHit: false });
  return parts.flatMap(({ from, to }, index) => [
    ...(index > 0 ? [ellipsis(" … ")] : from > 0 ? [ellipsis("… ")] : []),
    ...splitAtHits(text, hits, from, to),
    ...(index === parts.length - 1 && to < text.length ? [ellipsis(" …")] : []),
  ]);
}

type Part = { from: number; to: number };

/**
 * At most two parts: the one with the most terms, and another one if it has a term that the first
 * does not.
 */
function partsAround(text: string, hits: Hit[]): Part[] {
  const around = hits.map(({ from }) => partAt(text, from - leadLength));
  const termsIn = ({ from, to }: Part) =>
    new Set(hits.filter((hit) => hit.from >= from && hit.to <= to).map(({ term }) => term));
  const findBest = (parts: Part[], score: (part: Part) => number) =>
    parts.reduce<Part | null>(
      (best, part) => (score(part) > (best ? score(best) : 0) ? part : best),
      null,
    );
  const first = findBest(around, (part) => termsIn(part).size);
  if (!first) return [partAt(text, 0)];
  const apart = around.filter(({ from, to }) => from >= first.to || to <= first.from);
  const second = findBest(apart, (part) => termsIn(part).difference(termsIn(first)).size);
  return (second ? [first, second] : [first]).toSorted((one, other) => one.from - other.from);
}

/** An excerpt that starts near this position and is cut between words. */
function partAt(text: string, position: number): Part {
  const start = position <= leadLength / 2 ? 0 : text.indexOf(" ", position) + 1;
  const end = start + excerptLength;
  if (end >= text.length) return { from: start, to: text.length };
  const cut = text.lastIndexOf(" ", end);
  return { from: start, to: cut > start ? cut : end };
}
