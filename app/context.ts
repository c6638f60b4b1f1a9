import { createContext } from "react-router";
import type { PageScope } from "./platform/page-scope.ts";
import type { Services } from "./platform/services.ts";

/** What a route may reach. */
export type AppContext = Services &
  PageScope & {
    /**
     * Adds one to a day's count, such as that of a missing page. Costs the reader no time: it is
     * stored a few seconds later.
     */
    tally: { count(kind: "search" | "unanswered" | "missing", words: string): void };
    /**
     * Whom the request comes from; empty for a page that is made for everybody. Never stored, never
     * logged.
     */
    ipAddress: string;
    /** Whose frames the city's pages may hold, beside our own. */
    frameSources: string[];
  };

export const appContext = createContext<AppContext>();
