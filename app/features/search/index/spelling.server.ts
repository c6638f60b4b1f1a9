import { and, between, desc, inArray, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { editDistance } from "../../../lib/text/nearest.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { listHiddenWords, matches, type ParsedTerm, parseTerms } from "../find/parse.server.ts";
import { searchDocuments, searchWords } from "../schema.server.ts";

/** A short word with two swapped letters has only this trigram similarity to the intended word. */
const minSimilarity = 0.2;
const maxCandidates = 60;
/** The maximum number of candidates that are looked up in the index. */
const maxLookups = 5;

/**
 * Replaces the unknown words of a query with the most similar known words. Returns null if the
 * query has no unknown words, or if one of them is not similar to any known word.
 */
export async function respell(db: Database, query: string, terms: ParsedTerm[]) {
  let respelled = query;
  for (const parsed of terms) {
    // The query has found nothing, so its only word is unknown.
    if (terms.length > 1 && (await isKnown(db, parsed))) continue;
    for (const word of parsed.term.words) {
      const nearest = await findFirstKnown(db, await findSimilarWords(db, word));
      if (nearest === null) return null;
      respelled = replaceWord(respelled, word, nearest);
    }
  }
  return respelled === query ? null : respelled;
}

/**
 * Returns the first of the words that still occurs in a document. Words are never deleted from the
 * word list, so some no longer occur anywhere.
 */
async function findFirstKnown(db: Database, words: string[]): Promise<string | null> {
  for (const word of words.slice(0, maxLookups)) {
    const term = { words: [word], isQuoted: true, codes: [], isCode: false };
    const [parsed] = await parseTerms(db, [term], []);
    if (parsed && (await isKnown(db, parsed))) return word;
  }
  return null;
}

/** Whether any document or headline contains the term. */
async function isKnown(db: Database, parsed: ParsedTerm): Promise<boolean> {
  const isFound = matches(parsed.wide, listHiddenWords([parsed]));
  // For a plain `exists`, the database may read all headlines instead of the index, because it
  // expects to find a match early.
  const [row] = await db
    .select({
      known: sql<boolean>`exists (select 1 from ${searchDocuments} where ${isFound}) or exists (
        with found as materialized (select 1 from ${headlines} where ${isFound}) select 1 from found)`,
    })
    .from(sql`(values (1)) as one`);
  return row?.known ?? false;
}

/** Returns similar words, those with the fewest differences first, then the most used. */
async function findSimilarWords(db: Database, word: string): Promise<string[]> {
  const maxMistakes = countAllowedMistakes(word.length);
  if (maxMistakes === 0) return [];
  const rows = await db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config('pg_trgm.similarity_threshold', ${String(minSimilarity)}, true)`,
    );
    return tx
      .select()
      .from(searchWords)
      .where(
        and(
          sql`${searchWords.word} % ${word}`,
          between(
            sql`length(${searchWords.word})`,
            word.length - maxMistakes,
            word.length + maxMistakes,
          ),
        ),
      )
      .orderBy(desc(sql`similarity(${searchWords.word}, ${word})`), desc(searchWords.uses))
      .limit(maxCandidates);
  });
  return rows
    .map((row) => ({ ...row, mistakes: editDistance(word, row.word) }))
    .filter((row) => row.mistakes > 0 && row.mistakes <= maxMistakes && isLikely(word, row))
    .sort((a, b) => a.mistakes - b.mistakes || b.uses - a.uses)
    .map((row) => row.word);
}

/** With two mistakes, a short word becomes another word: "sister" does not mean "oyster". */
const countAllowedMistakes = (letters: number) => (letters < 3 ? 0 : letters < 8 ? 1 : 2);

/** Readers who make two mistakes usually still type the first letter correctly. */
const isLikely = (typed: string, { word, mistakes }: { word: string; mistakes: number }) =>
  mistakes === 1 || typed.charAt(0) === word.charAt(0);

/** Replaces one word and leaves quotation marks and the other words of the query as they are. */
function replaceWord(query: string, word: string, replacement: string): string {
  return query
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .map((part) => (part.normalize("NFKC").toLowerCase() === word ? replacement : part))
    .join("");
}

export async function learnWords(
  tx: Pick<Database, "execute">,
  texts: ReturnType<typeof selectDocumentWords>,
): Promise<void> {
  // All nodes insert in the same order, so that they cannot deadlock.
  await tx.execute(sql`
    insert into ${searchWords} (word, uses)
    select word, count(*) from (${texts}) as texts, unnest(tsvector_to_array(vector)) as word
    where length(word) between 3 and 30 and word !~ '[0-9]'
    group by word order by word
    on conflict (word) do update set uses = ${searchWords.uses} + excluded.uses`);
}

export const selectDocumentWords = (ids: string[]) =>
  sql`select to_tsvector('harborline_words', search_plain(${searchDocuments.title} || ' ' || ${searchDocuments.summary} || ' ' || ${searchDocuments.body} || ' ' || ${searchDocuments.aliases} || ' ' || ${searchDocuments.keywords})) as vector
    from ${searchDocuments} where ${inArray(searchDocuments.id, ids)}`;
