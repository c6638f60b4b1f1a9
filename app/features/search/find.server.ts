import { inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { type Clock, calendarDay, longDate } from "../../lib/dates.ts";
import { everySource, type Sections } from "../feeds/files.server.ts";
import { headlines } from "../feeds/schema.server.ts";
import {
  type Findings,
  type Kind,
  kindNames,
  kinds,
  type Match,
  mostCounted,
  type Piece,
  pageSize,
  type Question,
  type Result,
  type Suggestion,
  suggestFromLetters,
} from "./model.ts";
import { type ParsedTerm, parseTerms, termsOf } from "./parse.server.ts";
import { type Ranked, rank } from "./rank.server.ts";
import { searchDocuments } from "./schema.server.ts";
import { respell } from "./spelling.server.ts";

export type Library = {
  db: Database;
  now: Date;
  timeZone: string;
  /** What the source of a headline is called; null for one the city no longer knows. */
  sourceName(id: string): string | null;
};

export function libraryOf(
  { db, clock }: { db: Database; clock: Clock },
  { sections }: Sections,
  timeZone: string,
): Library {
  const names = new Map(
    Object.values(sections)
      .flatMap(everySource)
      .map(({ id, name }) => [id, name]),
  );
  return { db, now: clock(), timeZone, sourceName: (id) => names.get(id) ?? null };
}

/** Answers a question: with all its words, else in the nearest spelling, else with some of its words. */
export async function find(library: Library, question: Question): Promise<Findings> {
  const { match, terms, ranked } = await lookUp(library, question.query);
  const byKind = Map.groupBy(ranked, ({ kind }) => kind);
  const counts = kinds.flatMap((kind) => {
    const count = byKind.get(kind)?.length ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
  // A kind that has no results is as good as not asked for.
  const kind = question.kind !== null && byKind.has(question.kind) ? question.kind : null;
  const wanted = (kind === null ? ranked : (byKind.get(kind) ?? [])).slice(0, mostCounted);
  const pages = Math.max(1, Math.ceil(wanted.length / pageSize));
  const page = Math.min(question.page, pages);
  const shown = wanted.slice((page - 1) * pageSize, page * pageSize);
  const results = await readResults(library, shown, terms);
  return { match, counts, total: ranked.length, kind, page, pages, results };
}

type LookedUp = { match: Match; terms: ParsedTerm[]; ranked: Ranked[] };

async function lookUp({ db, now }: Library, query: string): Promise<LookedUp> {
  const terms = await parseTerms(db, termsOf(query));
  if (terms.length === 0) return { match: { kind: "none" }, terms, ranked: [] };
  const ranked = await rank(db, { terms, joined: "all", query }, now);
  if (ranked.length > 0) return { match: { kind: "all" }, terms, ranked };

  const respelled = await respell(db, query, terms);
  if (respelled !== null) {
    const others = await parseTerms(db, termsOf(respelled));
    const found = await rank(db, { terms: others, joined: "all", query: respelled }, now);
    if (found.length > 0)
      return { match: { kind: "respelled", query: respelled }, terms: others, ranked: found };
  }
  const some = terms.length > 1 ? await rank(db, { terms, joined: "any", query }, now) : [];
  return { match: { kind: some.length > 0 ? "some" : "none" }, terms, ranked: some };
}

const mostSuggested = 7;

/** Titles that have all the words, or their beginnings. */
export async function suggest({ db, now, sourceName }: Library, query: string): Promise<Suggestion[]> {
  const typed = termsOf(query);
  // The first letter of a further word says nothing yet.
  const said = typed.at(-1)?.words.join("").length === 1 && typed.length > 1 ? typed.slice(0, -1) : typed;
  const terms = await parseTerms(db, said, suggestFromLetters);
  if (terms.length === 0) return [];
  const ranked = await rank(db, { terms, joined: "all", query, titlesOnly: true }, now);
  const best = ranked.slice(0, mostSuggested);
  const [ours, told] = [await readDocuments(db, best, null), await readHeadlines(db, best, null)];
  return best.flatMap(({ kind, id }) => {
    const row = ours.get(id);
    if (row) return [{ title: row.title, link: row.link, kind: kindNames[kind].one }];
    const headline = told.get(id);
    const source = headline && (sourceName(headline.sourceId) ?? kindNames.headline.one);
    return headline && source ? [{ title: headline.title, link: headline.link, kind: source }] : [];
  });
}

async function readResults(library: Library, shown: Ranked[], terms: ParsedTerm[]): Promise<Result[]> {
  const { db, timeZone, sourceName } = library;
  const words = terms.map(({ wide }) => `(${wide})`).join(" | ");
  const [ours, told] = [await readDocuments(db, shown, words), await readHeadlines(db, shown, words)];
  const timeOf = (at: Date | null, kind: Kind) =>
    // The detail of an event says when it is.
    at && kind !== "event" ? { iso: at.toISOString(), shown: longDate(calendarDay(at, timeZone)) } : null;
  return shown.flatMap(({ kind, id }): Result[] => {
    const row = ours.get(id);
    if (row) {
      const { link, detail, isSample } = row;
      return [
        {
          ...{ id, kind, link, detail, isSample, time: timeOf(row.at, kind) },
          ...{ title: pieces(row.title), snippet: excerpt(row) },
        },
      ];
    }
    const headline = told.get(id);
    if (!headline) return [];
    return [
      {
        ...{ id, kind, link: headline.link, isSample: false, time: timeOf(headline.shownAt, kind) },
        detail: sourceName(headline.sourceId) ?? new URL(headline.link).hostname,
        ...{ title: pieces(headline.title), snippet: excerpt(headline) },
      },
    ];
  });
}

/** Around what was found; control characters, which no text of ours has. */
const [hitBegins, hitEnds] = ["\u0002", "\u0003"];
const markers = `StartSel=${hitBegins}, StopSel=${hitEnds}`;
/** So much of a long text is looked through for the words. */
const readAtMost = 20_000;

const marked = (text: SQL, words: string | null, options: string) =>
  words === null
    ? text
    : sql`ts_headline('harborline', ${text}, ${words}::tsquery, ${`${markers}, ${options}`})`;

const titleOf = (title: SQL, words: string | null) =>
  sql<string>`${marked(title, words, "HighlightAll=true")}`;
const snippetOf = (text: SQL, words: string | null) =>
  sql<string>`${words === null ? sql`''` : marked(text, words, 'MaxFragments=2, MinWords=12, MaxWords=26, FragmentDelimiter=" … "')}`;

/** So much of a text is shown that does not have the words itself. */
const leadLength = 160;
const leadOf = (text: SQL) => sql<string>`left(${text}, ${leadLength})`;

async function readDocuments(db: Database, ranked: Ranked[], words: string | null) {
  const ids = ranked.map(({ id }) => id);
  if (ids.length === 0) return new Map<string, never>();
  const { id, link, title, detail, summary, body, at, isSample } = searchDocuments;
  const text = sql`left(${summary} || ' ' || ${body}, ${readAtMost})`;
  const rows = await db
    .select({
      id,
      link,
      detail,
      at,
      isSample,
      title: titleOf(sql`${title}`, words),
      snippet: snippetOf(text, words),
      lead: leadOf(text),
    })
    .from(searchDocuments)
    .where(inArray(id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

async function readHeadlines(db: Database, ranked: Ranked[], words: string | null) {
  const ids = ranked.map(({ id }) => id).filter((id) => /^\d+$/.test(id));
  if (ids.length === 0) return new Map<string, never>();
  const { id, link, title, summary, sourceId, shownAt } = headlines;
  const rows = await db
    .select({
      ...{ id, link, sourceId, shownAt },
      title: titleOf(sql`${title}`, words),
      snippet: snippetOf(sql`${summary}`, words),
      lead: leadOf(sql`${summary}`),
    })
    .from(headlines)
    .where(inArray(id, ids.map(Number)));
  return new Map(rows.map((row) => [String(row.id), row]));
}

/** What stands around the words; without them, how the text begins. Dots say where it was cut. */
function excerpt({ snippet, lead }: { snippet: string; lead: string }): Piece[] {
  if (!snippet.includes(hitBegins)) {
    const isWhole = lead.length < leadLength;
    const text = isWhole ? lead : `${lead.replace(/\s+\S*$/, "")} …`;
    return text.trim() === "" ? [] : [{ text: text.trim(), isHit: false }];
  }
  const found = pieces(snippet.trim());
  const text = found.map((piece) => piece.text).join("");
  const cut = (isCut: boolean, dots: string): Piece[] => (isCut ? [{ text: dots, isHit: false }] : []);
  return [...cut(/^[\p{Ll}\p{P}]/u.test(text), "… "), ...found, ...cut(!/[.!?”"]$/u.test(text), " …")];
}

/** A text with markers in it, cut into what was found and the rest. */
export function pieces(text: string): Piece[] {
  return text
    .split(hitBegins)
    .flatMap((part, index): Piece[] => {
      if (index === 0) return [{ text: part, isHit: false }];
      const [hit = "", ...rest] = part.split(hitEnds);
      return [
        { text: hit, isHit: true },
        { text: rest.join(""), isHit: false },
      ];
    })
    .filter((piece) => piece.text !== "");
}
