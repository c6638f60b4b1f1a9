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

/** What was found in a text: from where to where, and by which term. */
export type Hit = { from: number; to: number; term: number };
type FindHits = (text: string) => Hit[];

/** For each term, and each of its words in their order, the words of texts that are meant by it. */
type WordForms = Set<string>[][];

const splitWords = (text: string) =>
  [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    plain: plainWord(word),
    from: index,
    to: index + word.length,
  }));

/** A form of a word, with accents or without, begins with the letter that the word begins with. */
const firstLetter = (word: string) => word.normalize("NFKD").charAt(0);

/**
 * Finds in texts what the index found. Its own way to mark texts (ts_headline) cuts words otherwise
 * than the index does; so the database says which words are forms of those asked for, and where
 * they stand we see ourselves.
 */
export async function createHitFinder(
  db: Database,
  terms: ParsedTerm[],
  texts: string[],
): Promise<FindHits> {
  const letters = new Set(terms.flatMap(({ term }) => term.words.map(firstLetter)));
  const words = new Set(texts.flatMap((text) => splitWords(text).map(({ plain }) => plain)));
  const candidates = [...words].filter((word) => letters.has(firstLetter(word)));
  // A word means at least itself: of "U.S." the database would know only the half.
  const wordForms: WordForms = terms.map(({ term }) => term.words.map((word) => new Set([word])));
  const asked = terms.flatMap(({ term, isPrefix }, number) =>
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
          from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked(number int, place int, exact text, wide text)) as asked
        on vector @@ query`,
    );
  for (const { word, number, place } of rows) wordForms[number]?.[place]?.add(word);
  // As a word, "c++" would be every "c".
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
      each.term.codes.some((asked) => (each.isPrefix ? code.startsWith(asked) : code === asked)),
    );
    return term < 0 ? [] : [{ from, to, term }];
  });
}

function findWordHits(text: string, meant: WordForms): Hit[] {
  const words = splitWords(text);
  return words.flatMap(({ from }, start) =>
    meant.flatMap((places, term) => {
      if (places.length === 0) return [];
      const last = words[start + places.length - 1];
      const isHere = places.every((forms, place) => forms.has(words[start + place]?.plain ?? ""));
      return last && isHere ? [{ from, to: last.to, term }] : [];
    }),
  );
}

/** A part of a text, cut into what was found and the rest. */
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
  return parts.filter((piece) => piece.text !== "");
}

/** A text that is no longer than this is shown whole. */
const maxWholeLength = 240;
/** How much is shown around something that was found, and how much of it before. */
const excerptLength = 180;
const leadLength = 50;

/**
 * The parts of a text that have most of the words; without any, its beginning. Dots stand where
 * something was left out.
 */
export function excerpt(whole: string, findHits: FindHits): TextPart[] {
  const text = whole.trim();
  const hits = findHits(text);
  if (text.length <= maxWholeLength) return splitAtHits(text, hits);
  const parts = partsAround(text, hits);
  const dots = (words: string): TextPart => ({ text: words, isHit: false });
  return parts.flatMap(({ from, to }, index) => [
    ...(index > 0 ? [dots(" … ")] : from > 0 ? [dots("… ")] : []),
    ...splitAtHits(text, hits, from, to),
    ...(index === parts.length - 1 && to < text.length ? [dots(" …")] : []),
  ]);
}

type Part = { from: number; to: number };

/**
 * At most two: the first with the most terms, and one more if it has a term that the first has not.
 */
function partsAround(text: string, hits: Hit[]): Part[] {
  const around = hits.map(({ from }) => partAt(text, from - leadLength));
  const termsIn = ({ from, to }: Part) =>
    new Set(hits.filter((hit) => hit.from >= from && hit.to <= to).map(({ term }) => term));
  const most = (parts: Part[], worth: (part: Part) => number) =>
    parts.reduce<Part | null>(
      (best, part) => (worth(part) > (best ? worth(best) : 0) ? part : best),
      null,
    );
  const first = most(around, (part) => termsIn(part).size);
  if (!first) return [partAt(text, 0)];
  const apart = around.filter(({ from, to }) => from >= first.to || to <= first.from);
  const second = most(apart, (part) => termsIn(part).difference(termsIn(first)).size);
  return (second ? [first, second] : [first]).toSorted((one, other) => one.from - other.from);
}

/** So much of the text from about there, cut between words. */
function partAt(text: string, wanted: number): Part {
  const start = wanted <= leadLength / 2 ? 0 : text.indexOf(" ", wanted) + 1;
  const end = start + excerptLength;
  if (end >= text.length) return { from: start, to: text.length };
  const cut = text.lastIndexOf(" ", end);
  return { from: start, to: cut > start ? cut : end };
}
