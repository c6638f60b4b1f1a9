import { useState } from "react";
import type { PageLink } from "../../site-files/site-fields.server.ts";
import { useHasPage } from "../../ui/hooks/use-has-page.ts";
import { useLinkedDetails } from "../../ui/hooks/use-linked-details.ts";
import { Link } from "../../ui/link.tsx";
import { Prose } from "../../ui/prose.tsx";
import { type FaqCategory, type FaqEntry, matchesQuery } from "./model.ts";

type Props = { title: string; intro: string; categories: FaqCategory[]; email: string };

const popularPages: PageLink[] = [
  { label: "News", to: "/news" },
  { label: "Events", to: "/events" },
  { label: "Community", to: "/community" },
  { label: "Contact", to: "/contact" },
  { label: "About", to: "/about" },
  { label: "Partners", to: "/partners" },
  { label: "Privacy Policy", to: "/privacy" },
  { label: "Terms of Service", to: "/terms" },
];

export function FaqPage({ title, intro, categories, email }: Props) {
  const [query, setQuery] = useState("");
  const hasPage = useHasPage();
  const matching = categories.map((category) => ({
    ...category,
    entries: category.entries.filter((entry) => matchesQuery(entry, query)),
  }));
  const count = matching.reduce((sum, { entries }) => sum + entries.length, 0);
  useLinkedDetails();
  return (
    <div className="faq-page">
      <section className="navy">
        <div className="page py-10 md:py-16">
          <h1 className="kicker">{title}</h1>
          <p className="mt-4 max-w-2xl text-lg text-on-navy-soft md:text-xl">{intro}</p>
        </div>
      </section>
      <div className="page mt-10">
        <nav aria-labelledby="browse" className="no-print">
          <h2 id="browse" className="text-2xl">
            Browse by Category
          </h2>
          <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] gap-2">
            {categories.map(({ id, name }) => (
              <li key={id} className="grid">
                <a href={`#${id}`} className="button button-plain button-small px-2">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <search className="script-only no-print mt-8 max-w-md">
          <label htmlFor="faq-filter" className="block font-semibold">
            Find a question
          </label>
          <input
            id="faq-filter"
            type="search"
            className="field mt-1.5"
            autoComplete="off"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <p role="status" className="mt-1 min-h-6 text-ink-soft text-sm">
            {query.trim() !== "" && (count === 1 ? "1 question" : `${count} questions`)}
          </p>
        </search>
        <div className="faq-list mt-8 space-y-12">
          {matching.map((category) => (
            <section
              key={category.id}
              id={category.id}
              tabIndex={-1}
              hidden={category.entries.length === 0}
              className="outline-none"
            >
              <h2 id={`${category.id}-name`} className="kicker text-3xl">
                {category.name}
              </h2>
              <div className="mt-4 border-line border-t">
                {category.entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </div>
            </section>
          ))}
          {count === 0 && (
            <p className="text-lg">
              No question contains these words. Try fewer words, or{" "}
              <Link to="/contact" className="text-link">
                ask us
              </Link>
              .
            </p>
          )}
        </div>
        <div className="no-print mt-16 grid grid-cols-1 gap-6 md:grid-cols-2">
          <section className="navy rounded-sm p-6 md:p-10" aria-labelledby="still">
            <h2 id="still" className="text-3xl">
              Still Have Questions?
            </h2>
            <p className="mt-3 text-on-navy-soft">A person in our newsroom reads every message.</p>
            <div className="mt-6 flex flex-wrap gap-3">
              <Link to="/contact" className="button button-gold">
                Contact Us
              </Link>
              <a href={`mailto:${email}`} className="button button-outline">
                Email Us
              </a>
            </div>
          </section>
          <nav className="panel p-6 md:p-10" aria-labelledby="popular">
            <h2 id="popular" className="text-3xl">
              Popular Pages
            </h2>
            <ul className="mt-4 gap-x-6 sm:columns-2">
              {popularPages
                .filter(({ to }) => hasPage(to))
                .map(({ label, to }) => (
                  <li key={to}>
                    <Link to={to} className="text-link inline-block py-1.5">
                      {label}
                    </Link>
                  </li>
                ))}
            </ul>
          </nav>
        </div>
      </div>
    </div>
  );
}

/**
 * The id is inside the `<details>` element, so that a link to it opens the answer. All entries
 * share one `name`, so that the browser closes the open entry when the reader opens another one.
 */
function Entry({ entry }: { entry: FaqEntry }) {
  return (
    <details name="faq" className="faq-entry">
      <summary className="fold faq-question">
        <h3>{entry.question}</h3>
      </summary>
      <div id={entry.id} className="pb-5">
        <Prose html={entry.html} />
        <p className="no-print mt-3 text-sm">
          <a href={`#${entry.id}`} className="text-link">
            Link to this answer
          </a>
        </p>
      </div>
    </details>
  );
}
