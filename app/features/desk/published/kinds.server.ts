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

/** Finds an item by the parameters of its path at the desk. */
export async function findItem(
  services: ItemServices,
  { kind: typed, id }: { kind: string; id: string },
): Promise<DeskItem | null> {
  const kind = listItemKinds(services.site).find((each) => each === typed);
  if (!kind) return null;
  return publishedKinds[kind].find(services, id);
}

/** Returns the path at the desk of an item that was renamed since, for example for the back button. */
export async function findRenamed(
  services: ItemServices,
  { kind: typed, id }: { kind: string; id: string },
): Promise<string | null> {
  const kind = listItemKinds(services.site).find((each) => each === typed);
  if (!kind) return null;
  const folder = toPublicPath(kind, "");
  const newPath = await findNewPath(services, folder + id);
  return newPath?.startsWith(folder) ? itemPath(kind, newPath.slice(folder.length)) : null;
}
