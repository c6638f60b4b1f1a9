import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { OutwardIcon } from "../../ui/icons.tsx";
import { OutsideLink } from "../../ui/outside-link.tsx";
import {
  countShown,
  type Findings,
  kindNames,
  type Piece,
  type Question,
  type Result,
  searchHref,
} from "./model.ts";

/** In one sentence what was found, heard by screen readers when it changes. Turning the page leads back to it. */
export function Summary({ question, findings }: { question: Question; findings: Findings }) {
  const { match, page } = findings;
  const sentence = useRef<HTMLParagraphElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    sentence.current?.focus({ preventScroll: true });
  }, [page]);
  const asked = <Quoted words={question.query} />;
  const count = <Count findings={findings} />;
  return (
    <p ref={sentence} tabIndex={-1} className="mt-5 max-w-2xl text-lg outline-none" role="status">
      {match.kind === "all" && (
        <>
          {count} for {asked}
        </>
      )}
      {match.kind === "respelled" && (
        <>
          Nothing was found for {asked}. Did you mean{" "}
          <Link to={searchHref({ query: match.query, kind: null, page: 1 })} className="text-link">
            <Quoted words={match.query} />
          </Link>
          ? It has {count}.
        </>
      )}
      {match.kind === "some" && (
        <>
          Nothing has all the words of {asked}. Some of them have {count}.
        </>
      )}
      {match.kind === "none" && <>Nothing was found for {asked}. Fewer or other words may help.</>}
    </p>
  );
}

/** "12 results in Events, page 1 of 2" */
function Count({ findings: { counts, kind, page, pages, total } }: { findings: Findings }) {
  const count = counts.find((each) => each.kind === kind)?.count ?? total;
  return (
    <>
      <strong>
        {countShown(count)} {count === 1 ? "result" : "results"}
      </strong>
      {kind && ` in ${kindNames[kind].many}`}
      {pages > 1 && ` (page ${page} of ${pages})`}
    </>
  );
}

const Quoted = ({ words }: { words: string }) => (
  <strong className="break-words">
    “<bdi>{words}</bdi>”
  </strong>
);

/** Links, so that a choice has an address and needs no script. */
export function Filters({ question, findings }: { question: Question; findings: Findings }) {
  const choices = [
    { kind: null, label: "All", count: findings.total },
    ...findings.counts.map(({ kind, count }) => ({ kind, label: kindNames[kind].many, count })),
  ];
  return (
    <nav aria-label="Kinds of results" className="no-print mt-6">
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ kind, label, count }) => (
          <li key={label}>
            <Link
              to={searchHref({ ...question, kind, page: 1 })}
              preventScrollReset
              className="search-filter"
              aria-current={kind === findings.kind ? "true" : undefined}
            >
              {label} <span className="text-sm tabular-nums opacity-80">{countShown(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ResultList({ results }: { results: Result[] }) {
  return (
    <ol className="mt-6 max-w-3xl divide-y divide-line border-line border-t">
      {results.map((result) => (
        <li key={`${result.kind} ${result.id}`} className="py-5">
          <ResultEntry result={result} />
        </li>
      ))}
    </ol>
  );
}

function ResultEntry({ result }: { result: Result }) {
  const { kind, link, title, snippet, detail, time, isSample } = result;
  const heading = "search-hit hover:underline underline-offset-4 decoration-1";
  return (
    <article>
      <p className="text-ink-soft text-sm">
        {isSample && (
          <>
            <Badge>Sample</Badge>{" "}
          </>
        )}
        <span className="font-semibold text-ink">{kindNames[kind].one}</span>
        {detail !== "" && ` · ${detail}`}
        {time && (
          <>
            {" · "}
            <time dateTime={time.iso}>{time.shown}</time>
          </>
        )}
      </p>
      <h2 className="mt-1 text-xl md:text-2xl">
        {link.startsWith("/") ? (
          <Link to={link} className={heading}>
            <Marked pieces={title} />
          </Link>
        ) : (
          <OutsideLink href={link} className={heading}>
            <Marked pieces={title} />
            <OutwardIcon />
          </OutsideLink>
        )}
      </h2>
      {snippet.length > 0 && (
        <p className="search-hit mt-1.5">
          <Marked pieces={snippet} />
        </p>
      )}
    </article>
  );
}

const Marked = ({ pieces }: { pieces: Piece[] }) =>
  pieces.map(({ text, isHit }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text are known by their place in it
    isHit ? <mark key={index}>{text}</mark> : text,
  );

export function Pages({ question, page, pages }: { question: Question; page: number; pages: number }) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages of results" className="no-print mt-6 flex flex-wrap items-center gap-4">
      {page > 1 && (
        <Link to={searchHref({ ...question, page: page - 1 })} rel="prev" className="button button-plain">
          Previous
        </Link>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link to={searchHref({ ...question, page: page + 1 })} rel="next" className="button button-plain">
          Next
        </Link>
      )}
    </nav>
  );
}
