import type { PostedForm } from "../../app/lib/form.ts";
import type { RouteHandle } from "../../app/platform/route-handle.ts";

export type Route = RouteHandle & {
  cache: "public" | "none";
  queryParams: readonly string[];
  /** The pattern of the path, such as /news/:slug. */
  pattern: string;
  /** The path by which a city has the page or not: see `findRoot`. */
  root: string;
  /** False for files, such as feeds and images. */
  isPage: boolean;
  hasAction: boolean;
  /** The one spelling of the path, without `.data`, that readers should see. */
  canonicalPath: string;
};

/** What the page cache has to know about a response. */
export type CacheRules = {
  /** Whether the response is the same for every reader, so that it may be stored. */
  isPublic: boolean;
  tags: ReadonlySet<string>;
  /** Until when the content is correct, in milliseconds since 1970. Infinity if it stays correct. */
  expiresAt: number;
  /** How long the page is fresh, if some of its data could not be refreshed. Otherwise Infinity. */
  freshMs: number;
};

export const notPublic: CacheRules = {
  isPublic: false,
  tags: new Set(),
  expiresAt: Number.POSITIVE_INFINITY,
  freshMs: Number.POSITIVE_INFINITY,
};

export type RequestEnv = {
  Bindings: {
    id: string;
    url: URL;
    /** The page or file that the request is for. Null if no route matches its path. */
    route: Route | null;
    ipAddress: string;
    /** The form that was sent. `form` is null if the body is not a form. */
    posted?: { kind: PostedForm["kind"]; form: FormData | null };
    /** Whether the page is rendered for all readers, for the page cache. */
    isForAllReaders: boolean;
    /**
     * With these statuses, React need not render the page: the page cache has the one that is sent
     * for everything that is missing at the route.
     */
    storedMissingStatuses: readonly number[];
    /** Set when a page has been rendered. `renderShared` in app.ts passes it to the page cache. */
    cacheRules: CacheRules;
  };
};
