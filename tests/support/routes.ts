import routes from "../../app/routes.ts";

type Route = {
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Route[] | undefined;
};

/** One of each kind of page whose address depends on a record. */
const samples = ["/news/marble-steps", "/events/lantern-walk"];

/** The address of every page whose whole address stands in the route table, samples of the others, and one of none. */
export const pagePaths: string[] = [...fixedPages(routes, ""), ...samples, "/no-such-page"];

function fixedPages(table: Route[], parent: string): string[] {
  return table.flatMap((route) => {
    if (route.path && /[:*?]/.test(route.path)) return [];
    const path = route.path ? `${parent}/${route.path}` : parent;
    if (route.children?.length) return fixedPages(route.children, path);
    return route.file.endsWith(".tsx") ? [path || "/"] : [];
  });
}
