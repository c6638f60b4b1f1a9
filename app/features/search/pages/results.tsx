import { useEffect, useRef } from "react";
import { AnyLink } from "../../../ui/any-link.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { PillLink } from "../../../ui/choices/pill-row.tsx";
import { Link } from "../../../ui/link.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { SavedKind } from "../../saved/saved-items.ts";
import type { ResultPage } from "../find/find.server.ts";
import {
  formatCount,
  type Kind,
  kindNames,
  type SearchRequest,
  type TextPart,
  toSearchPath,
} from "../model.ts";

type SummaryProps = {
  searchRequest: SearchRequest;
  resultPage: ResultPage | null;
  isBusy: boolean;
};

/**
 * Summarizes the results. Screen readers announce changes of this element, so it is rendered empty
 * before the first search. When the reader opens another page of results, it gets the focus.
 */
export function Summary({ searchRequest, resultPage, isBusy }: SummaryProps) {
  const page = resultPage?.page ?? 1;
  const sentence = useRef<HTMLParagraphElement>(null);
  const lastPage = useRef(page);
  useEffect(() => {
    if (lastPage.current === page) return;
    lastPage.current = page;
    sentence.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <p
      ref={sentence}
      tabIndex={-1}
      className="mt-5 max-w-2xl text-lg outline-none empty:mt-0"
      role="status"
    >
      {resultPage && <SummarySentences query={searchRequest.query} resultPage={resultPage} />}
      {isBusy && "There are too many searches at the moment. Please search again in a few seconds."}
    </p>
  );
}

function SummarySentences({ query, resultPage }: { query: string; resultPage: ResultPage }) {
  const { match } = resultPage;
  const quotedQuery = <Quoted text={query} />;
  const count = <Count resultPage={resultPage} />;
  const resultsHave = resultPage.total === 1 ? "This one has" : "These have";
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
          No results for {quotedQuery}.{" "}
          <Link
            to={toSearchPath({ query: match.query, kind: null, page: 1 })}
            className="text-link"
          >
            Did you mean <Quoted text={match.query} />?
          </Link>{" "}
          Showing {count}.
        </>
      );
    case "some":
      return (
        <>
          No page has all of these words. {resultsHave} some of them. {count} for {quotedQuery}
        </>
      );
    case "none":
      return <>No results for {quotedQuery}. Try fewer or different words.</>;
  }
}

/** Shows, for example, "12 results in Events (page 1 of 2)". */
function Count({ resultPage: { counts, kind, page, pages, total } }: { resultPage: ResultPage }) {
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

const Quoted = ({ text }: { text: string }) => (
  <strong className="break-words">
    “<bdi>{text}</bdi>”
  </strong>
);

type PageProps = { searchRequest: SearchRequest; resultPage: ResultPage };

export function Filters({ searchRequest, resultPage }: PageProps) {
  const choices = [
    { kind: null, label: "All", count: resultPage.total },
    ...resultPage.counts.map(({ kind, count }) => ({ kind, label: kindNames[kind].many, count })),
  ];
  return (
    <nav aria-label="Kinds of results" className="no-print mt-6">
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ kind, label, count }) => (
          <PillLink
            key={label}
            label={label}
            to={toSearchPath({ ...searchRequest, kind, page: 1 })}
            isOn={kind === resultPage.kind}
            className="pill gap-1.5"
          >
            {" "}
            <span className="text-sm tabular-nums opacity-80">{formatCount(count)}</span>
            <span className="sr-only"> {resultsWord(count)}</span>
          </PillLink>
        ))}
      </ul>
    </nav>
  );
}

export function ResultList({ results }: Pick<ResultPage, "results">) {
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

const savedKinds: Partial<Record<Kind, SavedKind>> = {
  story: "story",
  blog: "post",
  event: "event",
  headline: "headline",
};

function ResultEntry({ result }: { result: ResultPage["results"][number] }) {
  const { kind, link, title, snippet, detail, time, isSample } = result;
  const savedKind = savedKinds[kind];
  const headingClass =
    "search-hit inline-block min-h-6 hover:underline underline-offset-4 decoration-1";
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
        <AnyLink to={link} className={headingClass} hasIcon>
          <Highlighted parts={title} />
        </AnyLink>
      </h2>
      <div className="save-row mt-1.5">
        <p className="search-hit">
          <Highlighted parts={snippet} />
        </p>
        {savedKind && (
          <SaveButton
            item={{
              url: link,
              title: title.map(({ text }) => text).join(""),
              kind: savedKind,
              ...(savedKind === "headline" && detail !== "" ? { source: detail } : {}),
            }}
          />
        )}
      </div>
    </article>
  );
}

const Highlighted = ({ parts }: { parts: TextPart[] }) =>
  parts.map(({ text, isHit }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key than their position
    isHit ? <mark key={index}>{text}</mark> : text,
  );

export function Pages({ searchRequest, resultPage: { page, pages } }: PageProps) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages of results" className="no-print mt-6 flex flex-wrap items-center gap-4">
      {page > 1 && (
        <Link
          to={toSearchPath({ ...searchRequest, page: page - 1 })}
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
          to={toSearchPath({ ...searchRequest, page: page + 1 })}
          rel="next"
          className="button button-plain"
        >
          Next<span className="sr-only"> page of results</span>
        </Link>
      )}
    </nav>
  );
}
