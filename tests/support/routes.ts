import routes from "../../app/routes.ts";

type Route = {
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Route[] | undefined;
};

/**
 * One of each kind of page whose address depends on a record, and sections that are unlike the
 * first.
 */
const samples = [
  "/sports",
  "/news/marble-steps",
  "/events/lantern-walk",
  "/blog/film-your-street-with-a-phone",
];

/**
 * The address of one page of every kind: those whose whole address stands in the route table,
 * samples of the others, and one of none.
 */
export const pagePaths: string[] = [
  ...onePerFile(fixedPages(routes, "")),
  ...samples,
  "/no-such-page",
];

type Page = { path: string; file: string };

/** Pages that one route module makes differ only in their words. */
function onePerFile(pages: Page[]): string[] {
  return [...Map.groupBy(pages, ({ file }) => file).values()].flatMap(([first]) =>
    first ? [first.path] : [],
  );
}

function fixedPages(table: Route[], parent: string): Page[] {
  return table.flatMap((route) => {
    if (route.path && /[:*?]/.test(route.path)) return [];
    const path = route.path ? `${parent}/${route.path}` : parent;
    if (route.children?.length) return fixedPages(route.children, path);
    return route.file.endsWith(".tsx") ? [{ path: path || "/", file: route.file }] : [];
  });
}
