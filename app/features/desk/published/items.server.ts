import type { Services } from "../../../platform/services.ts";
import type { ItemKind, ItemState } from "./model.ts";
import { storyItems } from "./story-items.server.ts";

/** A story, post or event that is, or was, on the site. */
export type PublishedItem = {
  kind: ItemKind;
  /** The last part of its path on the site, and of its path at the desk. */
  id: string;
  title: string;
  /** When it was published or, for an event, when it begins. */
  at: Date;
  state: ItemState;
  isPinned: boolean;
  /** Where it comes from, such as "From a reader" or "news/ferry.md". */
  from: string;
};

export type ItemSource = {
  kind: ItemKind;
  /** Everything of this kind, in any order. */
  list(services: Pick<Services, "db" | "site" | "clock">): Promise<PublishedItem[]>;
};

/** One line per kind. */
const sources: ItemSource[] = [storyItems];

export const listedKinds = sources.map(({ kind }) => kind);

export const itemsPerPage = 50;

export type ItemFilter = { text: string; kind: ItemKind | null; page: number };

/** One page of everything that is, or was, on the site, newest first. */
export async function listItems(
  services: Pick<Services, "db" | "site" | "clock">,
  { text, kind, page }: ItemFilter,
): Promise<{ items: PublishedItem[]; count: number }> {
  const wanted = sources.filter((source) => kind === null || source.kind === kind);
  const lists = await Promise.all(wanted.map((source) => source.list(services)));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = lists
    .flat()
    .filter(({ title, id }) => {
      const searched = `${title} ${id}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1));
  const start = (page - 1) * itemsPerPage;
  return { items: found.slice(start, start + itemsPerPage), count: found.length };
}
