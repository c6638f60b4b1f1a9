import type { Services } from "../../../platform/services.ts";
import { findDeskPaths } from "../log/desk-paths.server.ts";
import { findLastAction } from "../log/log.server.ts";
import type { Missing } from "../pages/failure-page.tsx";
import { itemKinds } from "../published/model.ts";
import { isUuid } from "../waiting/model.ts";
import { draftKinds } from "./kinds/kinds.server.ts";

/** Says what became of a draft that does not exist. */
export async function describeMissing(
  services: Pick<Services, "db" | "site" | "clock">,
  id: string,
): Promise<Missing> {
  const { db } = services;
  const unknown = { text: "This is no longer here.", place: null };
  if (!isUuid(id)) return unknown;
  const items = await Promise.all(
    itemKinds.map(async (kind) => ({ kind, item: await draftKinds[kind].findItem(db, id) })),
  );
  const found = items.find(({ item }) => item !== null);
  const last = await findLastAction(db, { items: [id, found?.item ?? id] });
  const paths = found?.item
    ? await findDeskPaths(services, [{ kind: found.kind, items: [found.item] }])
    : new Map<string, string>();
  const place = paths.get(found?.item ?? "") ?? null;
  if (last?.action.startsWith("deleted the draft"))
    return { text: `${last.editorName} deleted this draft.`, place };
  return place ? { text: "This draft was published.", place } : unknown;
}
