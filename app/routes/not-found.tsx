import { data } from "react-router";

/**
 * Whatever no other route knows. The page itself is drawn by failures.tsx, as for an unknown id or
 * slug.
 */
export function loader() {
  throw data(null, { status: 404, statusText: "Not Found" });
}

export const action = loader;

export default function Unknown() {
  return null;
}
