import type { Services } from "./services.ts";

export type IssueItem = { title: string; link: string; line: string };

/**
 * A feature's part of a newsletter issue. `section` selects its heading and its maximum number of
 * items in newsletter.yaml.
 */
export type IssueContent = {
  section: "headlines" | "posts" | "events";
  /** `day` is the day of the issue. */
  gather(services: Services, day: string): Promise<IssueItem[]>;
  more: { label: string; path: string };
};
