import { createContext } from "react-router";
import type { Services } from "./platform/services.ts";
import type { PageTags } from "./platform/tags.ts";

/** What a route may reach. */
export type AppContext = Services & {
  /** What the page is made of: when it changes, the page is rendered again. */
  tags: PageTags;
  /** Adds one to a day's count, such as that of a missing page. Costs the reader no time: it is stored a few seconds later. */
  tally: { count(kind: "search" | "unanswered" | "missing", words: string): void };
  /** Whom the request comes from; empty for a page that is made for everybody. Never stored, never logged. */
  address: string;
  /** The page is true until then, such as one that says "today"; from then on it is made anew before it is shown. */
  expireAt(instant: Date): void;
  /** Whose frames the city's pages may hold, beside our own. */
  frames: string[];
};

export const appContext = createContext<AppContext>();
