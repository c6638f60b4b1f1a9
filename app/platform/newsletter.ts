import type { PublishedCorrection } from "../lib/article-dates.ts";
import type { Image } from "../site-files/site-fields.server.ts";
import type { PageServices, Services } from "./services.ts";

export type IssueItem = {
  title: string;
  link: string;
  /** The text below the title. */
  line: string;
  image?: (Image & { credit?: string | null }) | null;
  /** Whether it is an event of this evening, which has a section of its own. */
  isTonight?: boolean;
};

export type IssueContext = {
  /** The day in the city, such as 2026-11-20. */
  day: string;
  /** The beginning of the day of the previous issue; before the first issue, a week ago. */
  since: Date;
  /** Whether an earlier issue contains this link. */
  wasSent(link: string): boolean;
};

export type IssueContent = {
  /** The key in newsletter.yaml of the heading and the maximum number of items. */
  section: "stories" | "headlines" | "posts" | "events";
  gather(services: Services, issue: IssueContext): Promise<IssueItem[]>;
  /**
   * Finds an item of an earlier issue as it is now, by the last part of its path. Null if readers
   * cannot open its page.
   */
  find?(services: Services, id: string): Promise<IssueItem | null>;
  /** The link below the items. */
  more: { label: string; path: string };
  /**
   * The corrections of the feature's texts. An issue contains those of texts that an earlier issue
   * contained.
   */
  corrections?(services: PageServices): Promise<PublishedCorrection[]>;
};
