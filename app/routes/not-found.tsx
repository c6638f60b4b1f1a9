import { data } from "react-router";

/**
 * Matches every path that no other route matches. failures.tsx renders the page, as it does for an
 * unknown id or slug.
 */
export function loader() {
  throw data(null, { status: 404, statusText: "Not Found" });
}

export const action = loader;

export default function NotFoundRoute() {
  return null;
}
