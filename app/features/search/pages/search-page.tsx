import type { ReactNode } from "react";
import type { PageLink } from "../../../site-files/site-fields.server.ts";
import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { Link } from "../../../ui/link.tsx";
import { TitleBlock, type TitleItem, TitleList } from "../../../ui/title-list.tsx";
import type { ResultPage } from "../find/find.server.ts";
import { type SearchRequest, toSearchPath } from "../model.ts";
import { Filters, Pages, ResultList, Summary } from "./results.tsx";
import { SearchBox } from "./search-box.tsx";

type Props = {
  searchRequest: SearchRequest;
  resultPage: ResultPage | null;
  sections: PageLink[];
  /** The newest stories, if nothing was found. */
  stories: TitleItem[];
  /** Whether the search was refused because too many are running. */
  isBusy: boolean;
  follow: ReactNode;
};

export function SearchPage(props: Props) {
  const { searchRequest, resultPage, sections, stories, isBusy, follow } = props;
  const hasResults = resultPage !== null && resultPage.results.length > 0;
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="head-row">
        <h1 className="kicker">Search</h1>
        {follow}
      </div>
      <div className="mt-6 max-w-2xl">
        <SearchBox label="Search Harborline" />
      </div>
      <Summary searchRequest={searchRequest} resultPage={resultPage} isBusy={isBusy} />
      {isBusy && (
        <Link to={toSearchPath(searchRequest)} className="button button-gold mt-5" reloadDocument>
          Search again
        </Link>
      )}
      {hasResults && (
        <>
          <Filters searchRequest={searchRequest} resultPage={resultPage} />
          <ResultList results={resultPage.results} />
          <Pages searchRequest={searchRequest} resultPage={resultPage} />
          {resultPage.match.kind !== "all" && <OtherPlacesToLook />}
        </>
      )}
      {!hasResults && !isBusy && <Help isEmpty={resultPage === null} />}
      {stories.length > 0 && (
        <div className="mt-10 max-w-2xl">
          <TitleBlock label="Our newest stories" to="/stories">
            <TitleList items={stories} />
          </TitleBlock>
        </div>
      )}
      {!hasResults && <Sections sections={sections} />}
    </div>
  );
}

function Help({ isEmpty }: { isEmpty: boolean }) {
  return (
    <>
      {isEmpty && (
        <p className="mt-4 max-w-2xl text-lg">
          Type a word, a name or a neighborhood. We search all our own pages, and every headline in
          our archives.
        </p>
      )}
      <ul className="mt-4 max-w-2xl list-disc space-y-1.5 pl-5 text-ink-soft">
        <li>
          Results contain all of your words, or words that start with them: “market” also finds
          “markets.”
        </li>
        <li>If no page has all of them, you will see the pages that have at least half of them.</li>
        <li>Words in quotes must appear next to each other, as whole words.</li>
        <li>Punctuation inside a name counts: U.S., AT&amp;T, C++.</li>
        <li>Typos are fine: “makret” finds “market.”</li>
      </ul>
      <OtherPlacesToLook />
    </>
  );
}

function OtherPlacesToLook() {
  const hasPage = useHasPage();
  return (
    <p className="mt-5 max-w-2xl">
      You can also look in the{" "}
      {hasPage("/events") && <>{usefulLink("/events", "calendar")}, the </>}
      {usefulLink("/faq", "questions and answers")} and the {usefulLink("/archives", "archives")},
      or {usefulLink("/contact", "ask the newsroom")}.
    </p>
  );
}

const usefulLink = (to: string, label: string) => (
  <Link to={to} className="text-link">
    {label}
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
