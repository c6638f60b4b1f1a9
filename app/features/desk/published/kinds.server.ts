import { findNewPath } from "../../redirects/rows.server.ts";
import { eventKind } from "./events/kind.server.ts";
import type { DeskItem, ItemServices, PublishedKind } from "./kind.ts";
import { type ItemKind, itemPath, listItemKinds, toPublicPath } from "./model.ts";
import { postKind } from "./posts/kind.server.ts";
import { storyKind } from "./stories/kind.server.ts";

export const publishedKinds: Record<ItemKind, PublishedKind> = {
  story: storyKind,
  post: postKind,
  event: eventKind,
};

type Params = { kind: string; id: string };

const findKind = ({ site }: ItemServices, { kind: typed }: Params): ItemKind | undefined =>
  listItemKinds(site).find((kind) => kind === typed);

/** Finds an item by the parameters of its path at the desk. */
export async function findItem(services: ItemServices, params: Params): Promise<DeskItem | null> {
  const kind = findKind(services, params);
  return kind ? publishedKinds[kind].find(services, params.id) : null;
}

/** Returns the path at the desk of an item that was renamed since, for example for the back button. */
export async function findRenamed(services: ItemServices, params: Params): Promise<string | null> {
  const kind = findKind(services, params);
  if (!kind) return null;
  const folder = toPublicPath(kind, "");
  const newPath = await findNewPath(services, folder + params.id);
  return newPath?.startsWith(folder) ? itemPath(kind, newPath.slice(folder.length)) : null;
}
