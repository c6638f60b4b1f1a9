import type { Services } from "../../../platform/services.ts";
import { eventItems } from "./events/items.server.ts";
import type { ItemSource, PublishedItem } from "./item-source.ts";
import type { ItemKind } from "./model.ts";
import { postItems } from "./posts/items.server.ts";
import { storyItems } from "./story-items.server.ts";

/** One line per kind. */
const sources: ItemSource[] = [storyItems, postItems, eventItems];

export const listedKinds = sources.map(({ kind }) => kind);

export const itemsPerPage = 50;

export type ItemFilter = { text: string; kind: ItemKind | null; page: number };

/** One page of everything that is, or was, on the site, newest first. */
export async function listItems(
  services: Pick<Services, "db" | "site" | "clock">,
  { text, kind, page }: ItemFilter,
): Promise<{ items: PublishedItem[]; count: number }> {
  const wanted = sources.filter((source) => kind === null || source.kind === kind);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const lists = await Promise.all(wanted.map((source) => source.list(services, words)));
  const found = lists
    .flat()
    .filter(({ title, id }) => {
      const searched = `${title} ${id}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort(newestFirst);
  const start = (page - 1) * itemsPerPage;
  return { items: found.slice(start, start + itemsPerPage), count: found.length };
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
