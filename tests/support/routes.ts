import routes from "../../app/routes.ts";

type Route = {
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Route[] | undefined;
};

/**
 * One page of each kind whose path depends on a record, and a section that differs from the first.
 */
const samples = [
  "/sports",
  "/news/marble-steps",
  "/events/lantern-walk",
  "/blog/film-your-street-with-a-phone",
];

/**
 * The path of one page of every kind: those with a fixed path in the route table, samples of the
 * others, and a path without a page.
 */
export const pagePaths: string[] = [
  ...onePerFile(fixedPages(routes, "")),
  ...samples,
  "/no-such-page",
];

type Page = { path: string; file: string };

/** Keeps one page per route module: pages of the same module differ only in their text. */
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
