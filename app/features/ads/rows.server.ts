import type { Ads } from "./files.server.ts";
import type { AdPlace, AdRowContent } from "./model.ts";

/** A page's row of this name; null where the city has none. */
export function adRow({ pages, house, loader }: Ads, page: string, name: string): AdRowContent | null {
  const row = pages[page]?.[name];
  if (!row) return null;
  const places = row.slots.flatMap((each): AdPlace[] => {
    const card = house[each.house];
    if (!card) return [];
    return "id" in each
      ? [{ slot: { id: each.id }, house: card, frame: loader ? `/embed/ad/${each.id}` : null }]
      : [{ slot: { type: each.type }, house: card, frame: null }];
  });
  return { height: row.height, places };
}

export function hasSlot({ pages }: Ads, id: string): boolean {
  return Object.values(pages)
    .flatMap((rows) => Object.values(rows))
    .some(({ slots }) => slots.some((each) => "id" in each && each.id === id));
}
