import type { ServerBuild } from "react-router";
import { appContext } from "../../app/context.ts";
import {
  retryAfterSeconds,
  unavailableMessages,
} from "../../app/features/failures/feature.server.ts";
import { errorFields } from "../../app/lib/log.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import { noStore } from "../http/freshness.ts";

type Routes = ServerBuild["routes"];
type RouteModule = NonNullable<Routes[string]>["module"];
type Handler = NonNullable<RouteModule["loader"]>;

/**
 * The routes, with one answer for all pages, forms and files that cannot do without the database
 * while it is away: 503 and a sentence. Anything else that goes wrong stays an error.
 */
export function handleDatabaseUnavailable(routes: Routes): Routes {
  const answering = (handler: Handler, sentence: string): Handler =>
    async function answer(args) {
      try {
        return await handler(args);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        const path = new URL(args.request.url).pathname;
        args.context
          .get(appContext)
          .log.warn("page.without_database", { path, ...errorFields(error) });
        throw new Response(sentence, {
          status: 503,
          statusText: "Service Unavailable",
          headers: { "Retry-After": String(retryAfterSeconds), "Cache-Control": noStore },
        });
      }
    };
  const entries = Object.entries(routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: answering(loader, unavailableMessages.page) }),
      ...(action && { action: answering(action, unavailableMessages.form) }),
    };
    return [id, { ...route, module }];
  });
  return Object.fromEntries(entries);
}
