import { type ItemFilter, type ItemKind, listItemKinds } from "../published/model.ts";
import type { DeskServices } from "../services.ts";
import { eventKind } from "./event.server.ts";
import type { DeskItem, DeskKind, PublishedItem } from "./kind.ts";
import { postKind } from "./post.server.ts";
import { storyKind } from "./story.server.ts";

export const deskKinds: Record<ItemKind, DeskKind> = {
  story: storyKind,
  post: postKind,
  event: eventKind,
};

export async function findItem(
  services: DeskServices,
  params: { kind: string; id: string },
): Promise<DeskItem | null> {
  const kind = listItemKinds(services.site).find((each) => each === params.kind);
  return kind ? deskKinds[kind].find(services, params.id) : null;
}

export const itemsPerPage = 50;

type Search = { text: string; kind: ItemKind | null; only: ItemFilter | null; page: number };

export async function listItems(
  services: DeskServices,
  { text, kind, only, page }: Search,
): Promise<{ items: PublishedItem[]; count: number }> {
  const wanted = listItemKinds(services.site).filter((each) => kind === null || each === kind);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const lists = await Promise.all(wanted.map((each) => deskKinds[each].list(services, words)));
  const found = lists
    .flat()
    .filter((item) => only === null || hasMark(item, only))
    .filter(({ title, slug }) => {
      const searched = `${title} ${slug}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort(newestFirst);
  const start = (page - 1) * itemsPerPage;
  return { items: found.slice(start, start + itemsPerPage), count: found.length };
}

function hasMark(
  { state, isPinned = false, isLive = false }: PublishedItem,
  only: ItemFilter,
): boolean {
  if (only === "down" || only === "draft") return state === only;
  const isOnSite = state === "published";
  return isOnSite && (only === "published" || (only === "pinned" ? isPinned : isLive));
}

/** Nobody knows when the file of an event was added, so these come last, by their days. */
function newestFirst(one: PublishedItem, other: PublishedItem): number {
  const publishedMs = ({ at, announcedAt = at }: PublishedItem) => announcedAt?.getTime() ?? 0;
  return (
    publishedMs(other) - publishedMs(one) ||
    one.at.getTime() - other.at.getTime() ||
    (one.slug < other.slug ? 1 : -1)
  );
}
