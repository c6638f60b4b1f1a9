import type { ShouldRevalidateFunctionArgs } from "react-router";

/** Pages that fetch their own content in the browser, and show by themselves how that goes. */
const fetchesItself = /^\/blog(\/|$)/;

/**
 * For what stands around every page: it is loaded anew with each page, except on the way to one that fetches its own
 * content. That page would otherwise wait for what has not changed before it can say that it is loading.
 */
export function aroundPages({ nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return fetchesItself.test(nextUrl.pathname) ? false : defaultShouldRevalidate;
}
