import { sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { TextPart } from "../model.ts";
import {
  endsWithSign,
  findCodes,
  listHiddenWords,
  normalizeWord,
  type ParsedTerm,
  selectVisibleWords,
  wordPattern,
} from "./parse.server.ts";

/** A match in a string, and the index of the term that matched. */
export type Hit = { from: number; to: number; term: number };
type FindHits = (text: string) => Hit[];

/** By the index of a term, and of a word in it: all words in the texts that match this word. */
type WordForms = Set<string>[][];

const splitWords = (text: string) =>
  [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    plain: normalizeWord(word),
    from: index,
    to: index + word.length,
  }));

/** All forms of a word, with or without accents, begin with the same letter. */
const firstLetter = (word: string) => word.normalize("NFKD").charAt(0);

/**
 * Returns a function that finds the matches of the terms in one of the texts. Postgres has
 * ts_headline for this, but it splits words differently from our index. So the database only tells
 * which words of the texts are forms of the query's words, and we find their positions.
 */
export async function createHitFinder(
  db: Database,
  terms: ParsedTerm[],
  texts: string[],
): Promise<FindHits> {
  const letters = new Set(terms.flatMap(({ term }) => term.words.map(firstLetter)));
  const words = new Set(texts.flatMap((text) => splitWords(text).map(({ plain }) => plain)));
  const candidates = [...words].filter((word) => letters.has(firstLetter(word)));
  // Every word matches itself. For "U.S.", the database would find only one of the two letters.
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
      sql`(select word, ${selectVisibleWords(listHiddenWords(terms))} as vector
          from jsonb_array_elements_text(${JSON.stringify(candidates)}::jsonb) as word,
            lateral (select to_tsvector('harborline', word) || to_tsvector('harborline_words', word) as "searchVector") as vectors) as candidates
        join (select number, place, to_tsquery('harborline', exact) || to_tsquery('harborline_words', wide) as query
          from jsonb_to_recordset(${JSON.stringify(wordQueries)}::jsonb) as input(number int, place int, exact text, wide text)) as word_queries
        on vector @@ query`,
    );
  for (const { word, number, place } of rows) wordForms[number]?.[place]?.add(word);
  // "c++" matches only as a code. As a word, it would match every "c".
  for (const [number, { term }] of terms.entries())
    if (term.codes.some(endsWithSign)) wordForms[number] = [];
  return (text) =>
    [...findWordHits(text, wordForms), ...findCodeHits(text, terms)].sort(
      (a, b) => a.from - b.from,
    );
}

function findCodeHits(text: string, terms: ParsedTerm[]): Hit[] {
  if (terms.every(({ term }) => term.codes.length === 0)) return [];
  return findCodes(text).flatMap(({ code, from, to }) => {
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
      const lastWord = words[start + termWords.length - 1];
      const isMatch = termWords.every((forms, place) =>
        forms.has(words[start + place]?.plain ?? ""),
      );
      return lastWord && isMatch ? [{ from, to: lastWord.to, term }] : [];
    }),
  );
}

/** Splits the text between two positions into matches and the text between them. */
export function splitAtHits(text: string, hits: Hit[], from = 0, to = text.length): TextPart[] {
  const parts: TextPart[] = [];
  let position = from;
  for (const hit of hits.filter((each) => each.from >= from && each.to <= to)) {
    if (hit.from < position) continue;
    parts.push(
      { text: text.slice(position, hit.from), isHit: false },
      { text: text.slice(hit.from, hit.to), isHit: true },
    );
    position = hit.to;
  }
  parts.push({ text: text.slice(position, to), isHit: false });
  return parts.filter((part) => part.text !== "");
}

/** A text of at most this length is shown in full. */
const maxFullLength = 240;
/** The length of an excerpt around a match. */
const excerptLength = 180;
/** How much of the excerpt is before the match. */
const leadLength = 50;

/**
 * Returns the part of the text that contains the most terms, or the beginning of the text if it
 * contains none. An ellipsis marks omitted text.
 */
export function createExcerpt(fullText: string, findHits: FindHits): TextPart[] {
  const text = fullText.trim();
  const hits = findHits(text);
  if (text.length <= maxFullLength) return splitAtHits(text, hits);
  const { from, to } = choosePart(text, hits);
  const toEllipsis = (text: string): TextPart => ({ text, isHit: false });
  return [
    ...(from > 0 ? [toEllipsis("… ")] : []),
    ...splitAtHits(text, hits, from, to),
    ...(to < text.length ? [toEllipsis(" …")] : []),
  ];
}

type Part = { from: number; to: number };

/** Returns the first of the parts with the most terms. */
function choosePart(text: string, hits: Hit[]): Part {
  const countTerms = ({ from, to }: Part) =>
    new Set(hits.filter((hit) => hit.from >= from && hit.to <= to).map(({ term }) => term)).size;
  let best = { part: cutPartAt(text, 0), terms: 0 };
  for (const { from } of hits) {
    const part = cutPartAt(text, from - leadLength);
    const terms = countTerms(part);
    if (terms > best.terms) best = { part, terms };
  }
  return best.part;
}

/** Returns a part that starts near this position and is cut between words. */
function cutPartAt(text: string, position: number): Part {
  const start = position <= leadLength / 2 ? 0 : text.indexOf(" ", position) + 1;
  const end = start + excerptLength;
  if (end >= text.length) return { from: start, to: text.length };
  const lastSpace = text.lastIndexOf(" ", end);
  return { from: start, to: lastSpace > start ? lastSpace : end };
}
