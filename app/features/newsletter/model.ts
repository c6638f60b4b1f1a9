/** How long we store an email address that has not been confirmed. */
export const pendingRetentionDays = 30;

/** How long the link in a confirmation email works. */
export const linkLifetimeDays = 7;

export const newsletterPath = "/newsletter";
export const confirmPath = "/newsletter/confirm";
export const unsubscribePath = "/newsletter/unsubscribe";

export type LinkState = "good" | "used" | "expired" | "unknown";

export type ShownIssue = {
  kind: "issue" | "brief";
  title: string;
  sections: { heading: string; items: ShownItem[] }[];
};

export type ShownItem = {
  title: string;
  /** The path of one of our pages, or a URL. Null if the page does not exist anymore. */
  to: string | null;
  line: string;
};
