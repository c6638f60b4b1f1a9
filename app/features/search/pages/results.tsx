import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Badge } from "../../../ui/badge.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { ExternalLinkIcon } from "../../../ui/icons.tsx";
import {
  formatCount,
  kindNames,
  type Result,
  type ResultPage,
  type SearchRequest,
  searchHref,
  type TextPart,
} from "../model.ts";

type SummaryProps = { question: SearchRequest; findings: ResultPage | null; isBusy: boolean };

/**
 * Says in a sentence or two what was found. Screen readers announce it when it changes, so it is
 * also there, and empty, before anything was asked. Turning the page leads back to it.
 */
export function Summary({ question, findings, isBusy }: SummaryProps) {
  const page = findings?.page ?? 1;
  const sentence = useRef<HTMLParagraphElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    sentence.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <p
      ref={sentence}
      tabIndex={-1}
      className="mt-5 max-w-2xl text-lg outline-none empty:mt-0"
      role="status"
    >
      {findings && <SummarySentences query={question.query} findings={findings} />}
      {isBusy &&
        "Too many people are searching at the moment. Please search again in a few seconds."}
    </p>
  );
}

function SummarySentences({ query, findings }: { query: string; findings: ResultPage }) {
  const { match } = findings;
  const quotedQuery = <Quoted words={query} />;
  const count = <Count findings={findings} />;
  const these = findings.total === 1 ? "This one has" : "These have";
  switch (match.kind) {
    case "all":
      return (
        <>
          {count} for {quotedQuery}
        </>
      );
    case "respelled":
      return (
        <>
          Nothing was found for {quotedQuery}.{" "}
          <Link to={searchHref({ query: match.query, kind: null, page: 1 })} className="text-link">
            Did you mean <Quoted words={match.query} />?
          </Link>{" "}
          It has {count}.
        </>
      );
    case "most":
      return (
        <>
          No page has all of these words. {these} most of them. {count} for {quotedQuery}
        </>
      );
    case "some":
      return (
        <>
          No page has all of these words. {these} at least one of them. {count} for {quotedQuery}
        </>
      );
    case "none":
      return <>Nothing was found for {quotedQuery}. Fewer or other words may help.</>;
    case "too-common":
      return (
        <>
          No page has all the words of {quotedQuery}, and each of them is in nearly every text. A
          name, a place or a rarer word finds more.
        </>
      );
  }
}

/** "12 results in Events, page 1 of 2" */
function Count({ findings: { counts, kind, page, pages, total } }: { findings: ResultPage }) {
  const count = counts.find((each) => each.kind === kind)?.count ?? total;
  return (
    <>
      <strong>
        {formatCount(count)} {resultsWord(count)}
      </strong>
      {kind && ` in ${kindNames[kind].many}`}
      {pages > 1 && ` (page ${page} of ${pages})`}
    </>
  );
}

const resultsWord = (count: number) => (count === 1 ? "result" : "results");

const Quoted = ({ words }: { words: string }) => (
  <strong className="break-words">
    “<bdi>{words}</bdi>”
  </strong>
);

/** Links, so that a choice has an address and needs no script. */
export function Filters({ question, findings }: { question: SearchRequest; findings: ResultPage }) {
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
              {label} <span className="text-sm tabular-nums opacity-80">{formatCount(count)}</span>
              <span className="sr-only"> {resultsWord(count)}</span>
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
            <Highlighted pieces={title} />
          </Link>
        ) : (
          <ExternalLink href={link} className={heading}>
            <Highlighted pieces={title} />
            <ExternalLinkIcon />
          </ExternalLink>
        )}
      </h2>
      {snippet.length > 0 && (
        <p className="search-hit mt-1.5">
          <Highlighted pieces={snippet} />
        </p>
      )}
    </article>
  );
}

const Highlighted = ({ pieces }: { pieces: TextPart[] }) =>
  pieces.map(({ text, isHit }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text are known by their place in it
    isHit ? <mark key={index}>{text}</mark> : text,
  );

export function Pages({
  question,
  page,
  pages,
}: {
  question: SearchRequest;
  page: number;
  pages: number;
}) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages of results" className="no-print mt-6 flex flex-wrap items-center gap-4">
      {page > 1 && (
        <Link
          to={searchHref({ ...question, page: page - 1 })}
          rel="prev"
          className="button button-plain"
        >
          Previous<span className="sr-only"> page of results</span>
        </Link>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link
          to={searchHref({ ...question, page: page + 1 })}
          rel="next"
          className="button button-plain"
        >
          Next<span className="sr-only"> page of results</span>
        </Link>
      )}
    </nav>
  );
}
