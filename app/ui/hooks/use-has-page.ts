import { useRouteLoaderData } from "react-router";
import { hasPage } from "../../lib/links/parts.ts";

/** Returns a function that tells whether the city has the page at a path, so that a link works. */
export function useHasPage(): (path: string) => boolean {
  const absent = useRouteLoaderData<{ absent?: readonly string[] }>("root")?.absent ?? [];
  return (path) => hasPage(absent, path);
}
