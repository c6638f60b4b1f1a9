import { imagePathOf, imagesIn } from "../../lib/site/art.ts";
import { textsIn } from "../../lib/text/texts-in.ts";
import { brandFile } from "../brand/files.server.ts";
import { type Ads, adsFile } from "./files.server.ts";
import { type HouseServices, houseCards } from "./house.server.ts";
import type { AdPlace, AdRowContent, HouseCard } from "./model.ts";

/**
 * Finds a page's rows by their names; null where the city has none. `content` is the data of
 * everything else on the page: no card shows an image, an event or a post that is already there.
 */
export async function adRows(
  services: HouseServices,
  page: string,
  content: unknown,
): Promise<(name: string) => AdRowContent | null> {
  const { site } = services;
  const { pages, house, loader } = site.read(adsFile);
  const ownLabel = `From ${site.read(brandFile).network}`;
  const rows = Object.entries(pages[page] ?? {});
  const written = rows.flatMap(([, { slots }]) => slots.flatMap((slot) => house[slot.house] ?? []));
  const texts = new Set(textsIn(content));
  const made = await houseCards(services, written, (title) => texts.has(title));
  const cards = withImagesOnce(made, imagesIn(content)).values();
  const contents = new Map(
    rows.map(([name, { height, slots }]) => {
      const places = slots.flatMap((slot): AdPlace[] => {
        const { value: card } = cards.next();
        if (!card) return [];
        return "id" in slot
          ? [{ slot: { id: slot.id }, house: card, frame: loader ? `/embed/ad/${slot.id}` : null }]
          : [{ slot: { type: slot.type }, house: card, frame: null }];
      });
      return [name, { height, ownLabel, places }];
    }),
  );
  return (name) => contents.get(name) ?? null;
}

/** Takes from each card the image that the page, or a card before it, already shows. */
function withImagesOnce(cards: HouseCard[], shown: Set<string>): HouseCard[] {
  return cards.map((card) => {
    if (!card.image) return card;
    const path = imagePathOf(card.image.file);
    if (shown.has(path)) return { ...card, image: null };
    shown.add(path);
    return card;
  });
}

export function hasSlot({ pages }: Ads, id: string): boolean {
  return Object.values(pages)
    .flatMap((rows) => Object.values(rows))
    .some(({ slots }) => slots.some((each) => "id" in each && each.id === id));
}
