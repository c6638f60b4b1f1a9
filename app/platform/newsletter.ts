import type { Services } from "./services.ts";

/** An item of a newsletter issue. `line` is the text below its title. */
export type IssueItem = { title: string; link: string; line: string };

/** A feature's part of a newsletter issue. */
export type IssueContent = {
  /** The key in newsletter.yaml of the heading and the maximum number of items. */
  section: "headlines" | "posts" | "events";
  /** Returns the items for the issue of that day. */
  gather(services: Services, day: string): Promise<IssueItem[]>;
  /** The link below the items. */
  more: { label: string; path: string };
};
