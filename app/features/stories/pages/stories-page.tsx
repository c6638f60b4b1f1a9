import type { ReactNode } from "react";
import { ChoiceLinks } from "../../../ui/choices/choice-links.tsx";
import { PillLink, PillRow } from "../../../ui/choices/pill-row.tsx";
import { PageSteps } from "../../../ui/page-steps.tsx";
import { NewCount } from "../../device/visits/new-mark.tsx";
import { type StoryList, storyListPath } from "../listing/list.ts";
import { StoryEntry } from "./story-entry.tsx";

type Props = {
  head: { heading: string; intro: string };
  list: StoryList;
  follow: ReactNode;
};

export function StoriesPage({ head, list, follow }: Props) {
  const { filter, groups } = list;
  return (
    <div className="page relative pt-8 lg:pt-10">
      <NewCount isInCorner />
      <div className="head-row">
        <h1 className="kicker">{head.heading}</h1>
        {follow}
      </div>
      <p className="mt-4 max-w-3xl text-ink-soft text-lg md:text-xl">{head.intro}</p>
      <Categories list={list} />
      {/* In one column, the months are before the list, and closed so that they do not hide it. */}
      <div key={filter.month} className="no-print mt-6 lg:hidden">
        <Months list={list} isOpen={false} />
      </div>
      <div className="mt-8 grid gap-x-14 gap-y-12 lg:grid-cols-[3fr_1fr]">
        <div className="min-w-0">
          <ListStatus list={list} />
          {groups.map(({ month, label, stories }) => (
            <section key={month} aria-labelledby={`month-${month}`} className="story-month">
              <h2 id={`month-${month}`} className="text-2xl">
                {label}
              </h2>
              <ul>
                {stories.map((story) => (
                  <StoryEntry key={story.slug} story={story} />
                ))}
              </ul>
            </section>
          ))}
          <PageSteps
            label="Pages of stories"
            page={filter.page}
            hasOlder={list.hasOlder}
            to={(page) => storyListPath({ ...filter, page })}
            noun="stories"
          />
        </div>
        <aside aria-label="More of our stories" className="no-print hidden lg:block">
          <Months list={list} isOpen />
        </aside>
      </div>
    </div>
  );
}

function Categories({ list: { filter, categories } }: { list: StoryList }) {
  if (categories.length < 2 && filter.category === null) return null;
  return (
    <nav aria-label="Categories" className="no-print mt-6">
      <PillRow>
        {[{ value: null, label: "All" }, ...categories].map(({ value, label }) => (
          <PillLink
            key={value}
            label={label}
            to={storyListPath({ ...filter, category: value, page: 1 })}
            isOn={value === filter.category}
          />
        ))}
      </PillRow>
    </nav>
  );
}

function Months({ list: { filter, months }, isOpen }: { list: StoryList; isOpen: boolean }) {
  return (
    <ChoiceLinks
      title="By month"
      all="All months"
      current={filter.month}
      choices={months}
      to={(month) => storyListPath({ ...filter, month, page: 1 })}
      isOpen={isOpen}
    />
  );
}

/**
 * Tells screen readers which filter is active. Sighted readers see this in the links above the list
 * and in the headings of the months.
 */
function ListStatus({ list: { filter, filterLabel, groups } }: { list: StoryList }) {
  const page = filter.page > 1 ? `Page ${filter.page}` : "";
  const text = groups.length === 0 ? "We have not published a story yet." : page;
  return (
    <p role="status" className={text === "" ? "" : "mb-4 text-ink-soft"}>
      <span className="sr-only">{filterLabel}</span> {text}
    </p>
  );
}
