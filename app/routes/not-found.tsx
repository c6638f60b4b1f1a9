import { appContext } from "../context.ts";
import { missingPage } from "../features/failures/missing.server.ts";
import type { Route } from "./+types/not-found.ts";

/** Programs that look for vulnerabilities request thousands of paths, so they cost no data. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ context }, next) =>
    context.get(appContext).reuseMissingPage(404) ? new Response(null, { status: 404 }) : next(),
];

/** Matches every path that no other route matches. failures.tsx renders the error page. */
export async function loader({ context }: Route.LoaderArgs) {
  throw await missingPage(context.get(appContext));
}

export const action = loader;

export default function NotFoundRoute() {
  return null;
}
