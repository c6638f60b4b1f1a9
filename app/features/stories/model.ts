import type { ArticleDates, ShownDate } from "../../lib/article-dates.ts";
import type { Image, Photo } from "../../site-files/site-fields.server.ts";

/** The path of the feed of stories, without its extension. */
export const storyFeedPath = "/feeds/stories";

/** /news is the list of other newsrooms' headlines; below it are our own stories. */
export const storyPath = (slug: string): string => `/news/${slug}`;

/** The stream that tells the readers of a live story about new entries. */
export const livePath = (slug: string) => `/api/live/${slug}`;

/** An entry of a live story. Its id is its anchor. */
export type LiveEntry = { id: string; title: string; time: ShownDate; html: string };

export type LiveStory = {
  /** False when the story is no longer updated. */
  isLive: boolean;
  /** Differs after every change of its title or text. */
  version: string;
  /** The text before the first entry, as HTML. */
  summary: string;
  /** The newest first. */
  entries: LiveEntry[];
};

export type StoryCard = {
  slug: string;
  title: string;
  excerpt: string;
  category: string;
  date: string;
  /** The moment of publication, which decides the order of lists and what is marked as new. */
  publishedAt: Date;
  image: Image;
  /** True for a story that only shows how stories look on this site and is not current news. */
  isSample: boolean;
  /** True for a story that a reader sent and an editor approved. */
  isFromReader: boolean;
  /** True while entries are added to the story. */
  isLive: boolean;
};

/** Two lines of a card hold a title of this length at every width (see cards.css). */
export const maxCardTitleLength = 60;

type Dates = Pick<ArticleDates, "published" | "updated" | "modified" | "corrections">;

export type Story = StoryCard &
  Dates & {
    image: Photo;
    html: string;
    /** The names of the authors. Empty if the story is by the newsroom or by an unnamed reader. */
    authors: string[];
    series: string | null;
    readingMinutes: number;
    hasAds: boolean;
    moreImages: Image[];
    /** Null for an ordinary story. `html` is empty for a live one. */
    live: LiveStory | null;
  };

export type StoryLink = { slug: string; title: string };

export type StoryPageContent = {
  story: Story;
  bylines: { name: string; to: string | null }[];
  url: string;
  related: {
    /** The section that shows the stories. Null if they are from all sections. */
    section: { heading: string; path: string } | null;
    stories: StoryCard[];
  };
  /** All stories of the same series, oldest first. Empty if there are no others. */
  seriesParts: StoryLink[];
  older: StoryLink | null;
  newer: StoryLink | null;
};
