import type { ReactNode } from "react";
import type { FeedContent } from "../model.ts";
import { FeedSection } from "./feed-section.tsx";
import { AboutHeadlines, PageHead, type SectionHead } from "./section-page.tsx";

type Props = {
  head: SectionHead;
  feeds: FeedContent[];
  /** Our own stories, which come first. */
  newsroom: ReactNode;
  underHeading: ReactNode;
  column: ReactNode;
};

/** The best headlines of all sections. On wide screens, `column` is next to them. */
export function NewsPage({ head, feeds, newsroom, underHeading, column }: Props) {
  return (
    <>
      <PageHead head={head} />
      {newsroom}
      {underHeading}
      <div className="page mt-14 grid gap-x-14 gap-y-10 lg:grid-cols-[2fr_1fr]">
        <div className="min-w-0 space-y-12">
          {feeds.map((feed) => (
            <FeedSection key={feed.id} feed={feed} page="/news" />
          ))}
          <AboutHeadlines feeds={feeds} feedPath="/feeds/news" />
        </div>
        {column}
      </div>
    </>
  );
}
