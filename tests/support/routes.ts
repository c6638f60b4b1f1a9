import routes from "../../app/routes.ts";

type Route = {
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Route[] | undefined;
};

/**
 * One page of each kind whose path depends on a record, and a section that differs from the first
 * section.
 */
const samples = [
  "/sports",
  "/news/marble-steps",
  "/events/lantern-walk",
  "/meetings/sample-zoning-hearing",
  "/blog/film-your-street-with-a-phone",
];

/**
 * The paths of one page of every kind: pages with a fixed path in the route table, samples of the
 * other pages, and a path without a page.
 */
export const pagePaths: string[] = [
  ...selectOnePerFile(listFixedPages(routes, "")),
  ...samples,
  "/no-such-page",
];

/** Returns the page in `pagePaths` of the same kind as a page with a fixed path. */
export function findSameKind(path: string): string | undefined {
  const pages = listFixedPages(routes, "");
  const { file } = pages.find((page) => page.path === path) ?? {};
  return pagePaths.includes(path) ? path : pages.find((page) => page.file === file)?.path;
}

type Page = { path: string; file: string };

/** Keeps one page per route module: pages of the same module differ only in their text. */
function selectOnePerFile(pages: Page[]): string[] {
  return [...Map.groupBy(pages, ({ file }) => file).values()].flatMap(([page]) =>
    page ? [page.path] : [],
  );
}

function listFixedPages(table: Route[], parent: string): Page[] {
  return table.flatMap((route) => {
    // Baltimore has no desk, and all its pages are missing.
    if (route.path === "desk" || (route.path && /[:*?]/.test(route.path))) return [];
    const path = route.path ? `${parent}/${route.path}` : parent;
    if (route.children?.length) return listFixedPages(route.children, path);
    return route.file.endsWith(".tsx") ? [{ path: path || "/", file: route.file }] : [];
  });
}
