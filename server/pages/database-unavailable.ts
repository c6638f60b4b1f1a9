import type { ServerBuild } from "react-router";
import { appContext } from "../../app/context.ts";
import {
  retryAfterSeconds,
  unavailableMessages,
} from "../../app/features/failures/feature.server.ts";
import { errorFields, toLoggedPath } from "../../app/lib/log.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import { noStore } from "../http/freshness.ts";

type Routes = ServerBuild["routes"];
type RouteModule = NonNullable<Routes[string]>["module"];
type Handler = NonNullable<RouteModule["loader"]>;

/**
 * Wraps the routes so that every page, form and file that needs the database responds with status
 * 503 and a message while the database is unavailable. All other errors stay errors.
 */
export function handleDatabaseUnavailable(routes: Routes): Routes {
  const wrap = (handler: Handler, message: string): Handler =>
    async function handle(args) {
      try {
        return await handler(args);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        const path = toLoggedPath(new URL(args.request.url).pathname);
        args.context
          .get(appContext)
          .log.warn("page.without_database", { path, ...errorFields(error) });
        throw new Response(message, {
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
      ...(loader && { loader: wrap(loader, unavailableMessages.page) }),
      ...(action && { action: wrap(action, unavailableMessages.form) }),
    };
    return [id, { ...route, module }];
  });
  return Object.fromEntries(entries);
}
