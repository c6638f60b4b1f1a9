import type { Services } from "../../../platform/services.ts";
import type { PublishedItem } from "./kind.ts";
import { publishedKinds } from "./kinds.server.ts";
import { type ItemFilter, type ItemKind, listItemKinds } from "./model.ts";

export const itemsPerPage = 50;

type Search = { text: string; kind: ItemKind | null; only: ItemFilter | null; page: number };

/** One page of everything that is, or was, on the site, newest first. */
export async function listItems(
  services: Pick<Services, "db" | "site" | "clock">,
  { text, kind, only, page }: Search,
): Promise<{ items: PublishedItem[]; count: number }> {
  const wanted = listItemKinds(services.site).filter((each) => kind === null || each === kind);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const lists = await Promise.all(wanted.map((each) => publishedKinds[each].list(services, words)));
  const found = lists
    .flat()
    .filter((item) => only === null || hasMark(item, only))
    .filter(({ title, id }) => {
      const searched = `${title} ${id}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort(newestFirst);
  const start = (page - 1) * itemsPerPage;
  return { items: found.slice(start, start + itemsPerPage), count: found.length };
}

function hasMark({ state, isPinned, isLive = false }: PublishedItem, only: ItemFilter): boolean {
  if (only === "down" || only === "draft") return state === only;
  const isOnSite = state === "published";
  return isOnSite && (only === "published" || (only === "pinned" ? isPinned : isLive));
}

/** Files of events come last, in the order in which they begin. */
function newestFirst(one: PublishedItem, other: PublishedItem): number {
  const publishedMs = ({ at, announcedAt = at }: PublishedItem) => announcedAt?.getTime() ?? 0;
  return (
    publishedMs(other) - publishedMs(one) ||
    one.at.getTime() - other.at.getTime() ||
    (one.id < other.id ? 1 : -1)
  );
}
