import { appContext } from "../context.ts";
import { missingPage } from "../features/failures/missing.server.ts";
import type { Route } from "./+types/not-found.ts";

/** Matches every path that no other route matches. failures.tsx renders the error page. */
export async function loader({ context }: Route.LoaderArgs) {
  throw await missingPage(context.get(appContext));
}

export const action = loader;

export default function NotFoundRoute() {
  return null;
}
