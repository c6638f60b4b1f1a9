import type { PostedForm } from "../../app/lib/form.ts";
import type { RouteHandle } from "../../app/platform/route-handle.ts";

/** A route without child routes, with what the server has to know about its page or file. */
export type LeafRoute = RouteHandle & {
  cache: "public" | "none";
  queryParams: readonly string[];
  /** The pattern of the path, such as /news/:slug, or /* for all paths without another route. */
  pattern: string;
  /** The path by which a city has the page or not: see `findPartPath`. */
  partPath: string;
  /** False for files, such as feeds and images. */
  isPage: boolean;
  hasAction: boolean;
};

/** The route of a path, in any spelling. */
export type MatchedRoute = LeafRoute & {
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

/**
 * Belongs to a request that the server makes itself, for all readers: no limit on visitors applies,
 * and the page gets no banner.
 */
export type OwnRequest = {
  /**
   * Whether the page cache has the page that is sent for everything that is missing at the route
   * with this status. Then React need not render it.
   */
  hasMissingPage(status: number): boolean;
  /** Tells the page cache how it may store the response. */
  setCacheRules(rules: CacheRules): void;
};

/** What every handler knows about a request. One object per request, which only `readForms` changes. */
export type RequestEnv = {
  Bindings: {
    id: string;
    url: URL;
    /** The page or file that the request is for. Null if no route matches its path. */
    route: MatchedRoute | null;
    /** Where the request comes from. Empty in an own request. */
    ipAddress: string;
    /** Set if the request is not a reader's. */
    own?: OwnRequest;
    /** The form that was sent. `form` is null if the body is not a form. */
    posted?: { kind: PostedForm["kind"]; form: FormData | null };
  };
};
