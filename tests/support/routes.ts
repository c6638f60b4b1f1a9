import routes from "../../app/routes.ts";

type Route = {
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Route[] | undefined;
};

/** The address of every page whose whole address stands in the route table, and one that no page has. */
export const pagePaths: string[] = [...fixedPages(routes, ""), "/no-such-page"];

function fixedPages(table: Route[], parent: string): string[] {
  return table.flatMap((route) => {
    if (route.path && /[:*?]/.test(route.path)) return [];
    const path = route.path ? `${parent}/${route.path}` : parent;
    if (route.children?.length) return fixedPages(route.children, path);
    return route.file.endsWith(".tsx") ? [path || "/"] : [];
  });
}
