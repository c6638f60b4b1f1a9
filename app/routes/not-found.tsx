import { data } from "react-router";
import { appContext } from "../context.ts";
import type { Route } from "./+types/not-found.ts";

/** Programs that look for vulnerabilities request thousands of paths, so they cost no data. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ context }, next) =>
    context.get(appContext).hasMissingPage() ? new Response(null, { status: 404 }) : next(),
];

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
