import type { Part } from "../lib/links/parts.ts";

/**
 * What a route declares about its page or file: `export const handle = { cache: "none" } satisfies
 * RouteHandle`. The server reads all declarations when it starts: see server/pages/route-table.ts.
 */
export type RouteHandle = {
  /**
   * "none" means that the response is not in the page cache, because it shows or stores data of a
   * single reader, and has `no-store` unless the route sets Cache-Control or it is the result of a
   * form. It also applies to the routes in a layout. The default is "public".
   */
  cache?: "public" | "none";
  /** The query parameters that change the response. All others are ignored. */
  queryParams?: readonly string[];
  /** Whether the page's form may contain files. */
  acceptsFiles?: boolean;
  /** The maximum size of a form that is sent to the page, if it differs from the default. */
  formBytes?: number;
  /** Whether pages of other sites, and email programs, may send a form to the page. */
  formFromAnySite?: boolean;
  /**
   * The part of the site that the page or file belongs to, if that is not the first segment of its
   * path. The path is missing in a city without this part.
   */
  part?: Part;
  /** Whether the page has a frame of its own instead of the header and the footer for readers. */
  ownFrame?: boolean;
};
