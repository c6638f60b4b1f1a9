/** What a link to a post remembers, so that "Back to Blog" leads to the same page of the list. */
export const listPageState = (page: number) => ({ blogPage: page });

/** Reads the page of the list from the state of a location. Without it, this is the first page. */
export function readListPage(state: unknown): number {
  const page =
    typeof state === "object" && state !== null && "blogPage" in state ? state.blogPage : 1;
  return Number.isInteger(page) ? Number(page) : 1;
}
