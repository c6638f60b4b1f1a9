import { Link } from "react-router";
import type { PageLink } from "../../lib/site-fields.server.ts";
import { SearchBox } from "./search-box.tsx";

type Props = { query: string; sections: PageLink[] };

export function SearchPage({ query, sections }: Props) {
  return (
    <div className="page pt-10 lg:pt-16">
      <h1 className="kicker text-4xl md:text-5xl">Search</h1>
      <div className="mt-6 max-w-2xl">
        <SearchBox label="This page" />
      </div>
      {query === "" ? (
        <p className="mt-4 max-w-2xl text-lg">
          Type a word, a name or a neighborhood, or start from a section below.
        </p>
      ) : (
        <p className="mt-4 max-w-2xl text-lg">
          You asked for{" "}
          <strong className="break-words">
            “<bdi>{query}</bdi>”
          </strong>
          . There are no search results on this site yet; your question has been counted, without your name or
          address, so that we learn what readers look for. These sections are the quickest way on.
        </p>
      )}
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
    </div>
  );
}
