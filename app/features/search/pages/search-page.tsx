import { Link } from "react-router";
import type { PageLink } from "../../../lib/site/site-fields.server.ts";
import { type ResultPage, type SearchRequest, searchHref } from "../model.ts";
import { Filters, Pages, ResultList, Summary } from "./results.tsx";
import { SearchBox } from "./search-box.tsx";
import { SlashSwitch } from "./slash-switch.tsx";

type Props = {
  question: SearchRequest;
  findings: ResultPage | null;
  sections: PageLink[];
  /** Too many others are searching: there is no answer now. */
  isBusy: boolean;
};

export function SearchPage({ question, findings, sections, isBusy }: Props) {
  const hasResults = findings !== null && findings.results.length > 0;
  return (
    <div className="page pt-10 lg:pt-16">
      <h1 className="kicker text-4xl md:text-5xl">Search</h1>
      <div className="mt-6 max-w-2xl">
        <SearchBox label="This page" />
      </div>
      <Summary question={question} findings={findings} isBusy={isBusy} />
      {isBusy && (
        <Link to={searchHref(question)} className="button button-gold mt-5" reloadDocument>
          Search again
        </Link>
      )}
      {hasResults && (
        <>
          <Filters question={question} findings={findings} />
          <ResultList results={findings.results} />
          <Pages question={question} page={findings.page} pages={findings.pages} />
          {findings.match.kind !== "all" && <OtherPlacesToLook />}
        </>
      )}
      {!hasResults && !isBusy && <Help isEmpty={findings === null} />}
      {!hasResults && <Sections sections={sections} />}
      <SlashSwitch />
    </div>
  );
}

function Help({ isEmpty }: { isEmpty: boolean }) {
  return (
    <>
      {isEmpty && (
        <p className="mt-4 max-w-2xl text-lg">
          Type a word, a name or a neighborhood. We look through our stories, blog, events,
          questions, pages and books, the volunteer listings, and every headline we have kept.
        </p>
      )}
      <ul className="mt-4 max-w-2xl list-disc space-y-1.5 pl-5 text-ink-soft">
        <li>
          Results have all of your words, in any form: “market” finds markets, and so does “mark”.
        </li>
        <li>If no page has all of them, you see the pages that have most.</li>
        <li>Words in quotes have to stand side by side, and each as a whole word.</li>
        <li>Punctuation inside a name counts: I-95, AT&amp;T, C++.</li>
        <li>Typos are forgiven: “makret” finds market.</li>
      </ul>
      <OtherPlacesToLook />
    </>
  );
}

const OtherPlacesToLook = () => (
  <p className="mt-5 max-w-2xl">
    The {usefulLink("/events", "calendar")}, the {usefulLink("/faq", "questions and answers")} and
    the {usefulLink("/archives", "archives")} are other ways in. Or{" "}
    {usefulLink("/contact", "ask the newsroom")}.
  </p>
);

const usefulLink = (to: string, words: string) => (
  <Link to={to} className="text-link">
    {words}
  </Link>
);

function Sections({ sections }: { sections: PageLink[] }) {
  return (
    <>
      <h2 className="mt-12 text-2xl">Browse by section</h2>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-x-8">
        {sections.map(({ label, to }) => (
          <li key={to} className="border-line border-b">
            <Link to={to} className="block py-3 font-medium hover:text-accent">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
