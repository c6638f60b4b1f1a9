/**
 * What a route declares about its page: `export const handle = { page: { cache: "none" } }
 * satisfies RouteHandle`. The server reads all declarations when it starts: see
 * server/pages/route-table.ts.
 */
export type RouteHandle = {
  page: {
    /**
     * "none": never kept anywhere, because the page records or answers something of one reader.
     * Otherwise "public".
     */
    cache?: "public" | "none";
    /** The query parameters that change the page. All others are ignored. */
    params?: readonly string[];
    /**
     * Whether its form may have files: then the route reads the body itself, and limits its size.
     */
    files?: boolean;
    /** The maximum size of a form that is sent to it, where that is less than usual. */
    formBytes?: number;
  };
};
