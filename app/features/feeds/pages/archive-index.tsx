import type { ReactNode } from "react";
import { toPageParam, toQueryString } from "../../../lib/links/query.ts";
import type { PageLink } from "../../../site-files/site-fields.server.ts";
import { ChoiceLinks } from "../../../ui/choices/choice-links.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { ExternalLinkIcon } from "../../../ui/icons.tsx";
import { Link } from "../../../ui/link.tsx";
import { PageSteps } from "../../../ui/page-steps.tsx";
import type { Archive, ArchiveFilter } from "../listing/archive.server.ts";
import { PageHead } from "./section-page.tsx";

/** The complete archive by month, section and source, made of plain links. */
export function ArchiveIndex({ archive }: { archive: Archive }) {
  const { filter, months, headlines, hasOlder, stories, posts, sections, sources } = archive;
  // The page of a source has nothing above this, so its headlines are on the first screen.
  const isOfSource = archive.sourceName !== null;
  return (
    <section
      className={isOfSource ? "page mt-5 lg:mt-8" : "page mt-16 lg:mt-20"}
      aria-labelledby="kept"
    >
      <h2 id="kept" className={isOfSource ? "sr-only" : "kicker text-3xl md:text-4xl"}>
        Browse the archive
      </h2>
      <div
        className={`grid gap-x-14 gap-y-10 lg:has-[details]:grid-cols-[1fr_2.4fr] ${isOfSource ? "" : "mt-8"}`}
      >
        <div className={`space-y-8 empty:hidden ${isOfSource ? "max-lg:order-last" : ""}`}>
          <ChoiceLinks
            title="By month"
            all="All months"
            current={filter.month}
            choices={months.map(({ month, label }) => ({ value: month, label }))}
            to={(month) => archivePath({ ...filter, month, page: 1 })}
            isOpen
          />
          <ChoiceLinks
            title="By section"
            all="All sections"
            current={filter.section}
            choices={sections.map(({ id, heading }) => ({ value: id, label: heading }))}
            to={(section) => archivePath({ ...filter, section, source: null, page: 1 })}
          />
          <ChoiceLinks
            title="By source"
            all="All sources"
            current={filter.source}
            choices={sources.map(({ id, name }) => ({ value: id, label: name }))}
            to={(source) => archivePath({ ...filter, source, section: null, page: 1 })}
          />
        </div>
        <div>
          {filter.page === 1 && (
            <>
              <OwnTexts
                id="kept-stories"
                title={filter.month === null ? "Newest from our newsroom" : "From our newsroom"}
                items={stories}
                more={{
                  label: "All our stories",
                  to: filter.month === null ? "/stories" : `/stories?month=${filter.month}`,
                }}
              />
              <OwnTexts
                id="kept-posts"
                title="From our blog"
                items={posts}
                more={{ label: "All posts", to: "/blog" }}
              />
            </>
          )}
          <h3 className="text-2xl">Headlines</h3>
          <p className="mt-1 max-w-xl text-ink-soft" role="status">
            {describeList(archive)}
            {headlines.length === 0 && archive.hasAny && (
              <>
                {" "}
                <Link to={archivePath(noFilter)} preventScrollReset className="text-link">
                  See all headlines
                </Link>
              </>
            )}
          </p>
          <ol className="mt-4 divide-y divide-line border-line border-t empty:hidden">
            {headlines.map(({ id, title, link, source, time }) => (
              <li key={id} className="py-3">
                <ExternalLink href={link} className="font-semibold hover:underline">
                  {title}
                  <ExternalLinkIcon />
                </ExternalLink>
                <p className="text-ink-soft text-sm">
                  {source} · <time dateTime={time.iso}>{time.shown}</time>
                </p>
              </li>
            ))}
          </ol>
          <PageSteps
            label="Pages of the archive"
            page={filter.page}
            hasOlder={hasOlder}
            to={(page) => archivePath({ ...filter, page })}
          />
        </div>
      </div>
    </section>
  );
}

const noFilter: ArchiveFilter = { month: null, section: null, source: null, page: 1 };

/** Our own texts above the list do not count: it is described as empty if it has no headlines. */
function describeList({ filter, filterLabel, headlines, hasAny }: Archive): string {
  if (!hasAny)
    return "The archive has no headlines yet. Every headline that appears in our sections will stay here, with its source, its date and a link.";
  const what = filterLabel === "" ? "all months, sections and sources" : filterLabel;
  return headlines.length > 0
    ? `From ${what}, newest first${filter.page > 1 ? `, page ${filter.page}` : ""}.`
    : `The archive has no headlines from ${what}.`;
}

type OwnTextsProps = { id: string; title: string; items: Archive["posts"]; more: PageLink };

function OwnTexts({ id, title, items, more }: OwnTextsProps) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mb-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h3 id={id} className="text-2xl">
          {title}
        </h3>
        <Link to={more.to} className="text-link py-1">
          {more.label}
        </Link>
      </div>
      <ul className="mt-4 grid gap-x-10 border-line border-t md:grid-cols-2">
        {items.map(({ title, link, shown }) => (
          <li key={link} className="border-line border-b py-3">
            <Link to={link} className="font-semibold hover:underline">
              {title}
            </Link>
            <p className="text-ink-soft text-sm">{shown}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const archivePath = ({ page, ...filter }: ArchiveFilter): string =>
  `/archives${toQueryString({ ...filter, page: toPageParam(page) })}#kept`;

type SourcePageProps = { name: string; archive: Archive; follow: ReactNode; ads: ReactNode };

const intro = "Every headline from this newsroom that we have, with a link to its story.";

/** The headlines of one newsroom. "Follow" beside its name leads here, with the panel open. */
export function SourcePage({ name, archive, follow, ads }: SourcePageProps) {
  return (
    <>
      <PageHead head={{ heading: name, intro }} follow={follow} />
      <ArchiveIndex archive={archive} />
      {ads}
    </>
  );
}
