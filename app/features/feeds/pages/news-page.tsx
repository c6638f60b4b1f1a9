import type { ReactNode } from "react";
import type { FeedContent, HeadlineBlock } from "../model.ts";
import { FeedSection } from "./feed-section.tsx";
import { SectionBlock } from "./headline-list.tsx";
import { AboutHeadlines, PageHead, type SectionTexts } from "./section-page.tsx";

/** The number of blocks in a row on wide screens. */
const blocksPerRow = 3;

type Props = {
  head: SectionTexts;
  /** Our own stories, which come first. */
  newsroom: ReactNode;
  follow: ReactNode;
  blocks: HeadlineBlock[];
  /** The last block. */
  events: ReactNode;
  /** Shown after the first row of blocks. */
  ads: ReactNode;
  feeds: FeedContent[];
  /** Next to the feeds, on wide screens. */
  column: ReactNode;
};

/** Our stories, the newest headlines of some sections, and those of the feed of /news. */
export function NewsPage({ head, newsroom, follow, blocks, events, ads, feeds, column }: Props) {
  // A small city has few sections.
  const isOneRow = blocks.length < blocksPerRow;
  const show = (block: HeadlineBlock) => <SectionBlock key={block.path} block={block} />;
  return (
    <>
      <PageHead head={head} follow={follow} />
      {newsroom}
      <div className="page title-blocks mt-6">
        {blocks.slice(0, blocksPerRow).map(show)}
        {isOneRow && events}
      </div>
      {ads}
      <div className="page title-blocks mt-14 lg:mt-20">
        {blocks.slice(blocksPerRow).map(show)}
        {!isOneRow && events}
      </div>
      <div className="page mt-14 grid gap-x-8 gap-y-10 lg:grid-cols-3">
        <div className="min-w-0 space-y-12 lg:col-span-2">
          {feeds.map((feed) => (
            <FeedSection key={feed.id} feed={feed} page="/news" />
          ))}
          <AboutHeadlines feeds={feeds} />
        </div>
        {column}
      </div>
    </>
  );
}
