import { createImagePicker, findImagePaths } from "../../lib/images/art.ts";
import { findStrings } from "../../lib/text/find-strings.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type Ads, adsFile } from "./files.server.ts";
import { makeHouseAds } from "./house-ads.server.ts";
import type { AdRowContent, AdSlotContent } from "./model.ts";

/**
 * Prepares all ad rows of a page. Returns a function that takes the name of a row. `content` is the
 * data of everything else on the page, whose images, events and posts no house ad repeats.
 */
export async function prepareAdRows(
  services: PageServices,
  page: string,
  content: unknown,
): Promise<(name: string) => AdRowContent | null> {
  const { site } = services;
  const { pages, house, loader } = site.read(adsFile);
  const houseLabel = `From ${site.read(siteSettingsFile).network.name}`;
  const rows = Object.entries(pages[page] ?? {});
  const configs = rows.flatMap(([, { slots }]) => slots.flatMap((slot) => house[slot.house] ?? []));
  const stringsOnPage = new Set(findStrings(content));
  const spares = Object.values(house).filter((config) => !configs.includes(config));
  const isOnPage = (title: string) => stringsOnPage.has(title);
  const houseAds = await makeHouseAds(services, configs, spares, isOnPage);
  const pickImage = createImagePicker(findImagePaths(content));
  const remainingHouseAds = houseAds
    .map((houseAd) => houseAd && { ...houseAd, image: pickImage(houseAd.image) })
    .values();
  const rowsByName = new Map(
    rows.map(([name, { height, slots: configuredSlots }]) => {
      const slots = configuredSlots.flatMap((slot): AdSlotContent[] => {
        const { value: houseAd } = remainingHouseAds.next();
        if (!houseAd) return [];
        return "id" in slot
          ? [
              {
                identity: { id: slot.id },
                houseAd,
                framePath: loader ? `/embed/ad/${slot.id}` : null,
              },
            ]
          : [{ identity: { type: slot.type }, houseAd, framePath: null }];
      });
      return [name, { height, houseLabel, slots }];
    }),
  );
  return (name) => rowsByName.get(name) ?? null;
}

export function hasSlot({ pages }: Ads, id: string): boolean {
  return Object.values(pages)
    .flatMap((rows) => Object.values(rows))
    .some(({ slots }) => slots.some((slot) => "id" in slot && slot.id === id));
}
