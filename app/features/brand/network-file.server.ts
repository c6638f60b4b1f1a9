import { z } from "zod";
import { didYouMean } from "../../lib/text/nearest.ts";
import type { City, CrossFileProblem } from "../../platform/city.ts";
import { text, typedText } from "../../site-files/site-fields.server.ts";
import {
  type SiteContent,
  type SiteFile,
  siteFile,
  type ValueOf,
} from "../../site-files/site-file.server.ts";
import { cityId, origin, siteSettingsFile } from "./files.server.ts";

const networkSchema = z
  .strictObject({
    name: typedText,
    /** The city that is served if no setting names another one. */
    default: cityId,
    cities: z.array(z.strictObject({ id: cityId, name: text, url: origin })).min(1),
  })
  .superRefine(({ default: defaultCity, cities }, context) => {
    const ids = cities.map(({ id }) => id);
    if (!ids.includes(defaultCity))
      context.addIssue({
        code: "custom",
        path: ["default"],
        message: `names ${defaultCity}, which is not one of the cities below${didYouMean(defaultCity, ids)}`,
      });
    for (const field of ["id", "url"] as const)
      for (const [index, city] of cities.entries())
        if (cities.findIndex((each) => each[field] === city[field]) < index)
          context.addIssue({
            code: "custom",
            path: ["cities", index, field],
            message: `is the same as in an earlier line: ${city[field]}`,
          });
  });

/** The cities of the network. The file is next to the city folders, because all cities share it. */
export const networkFile: SiteFile<z.output<typeof networkSchema>> = {
  ...siteFile("../network.yaml", networkSchema),
  whenMissing: {
    value: { name: "", default: "", cities: [] },
    effect: "the city shows no other cities of its network",
  },
};

export type NetworkCity = ValueOf<typeof networkFile>["cities"][number];

/** Returns the other cities that this city shows, in its own order. */
export function listSisterCities(site: SiteContent): NetworkCity[] {
  const { cities } = site.read(networkFile);
  return site
    .read(siteSettingsFile)
    .network.cities.flatMap((id) => cities.filter((city) => city.id === id));
}

/** Finds cities that site.yaml shows, but that network.yaml does not have. */
export function checkNetwork(city: City): CrossFileProblem[] {
  const [network, settings] = [city.read(networkFile), city.read(siteSettingsFile)];
  if (!network || !settings) return [];
  const ids = network.cities.map(({ id }) => id);
  return settings.network.cities.flatMap((id, index) =>
    ids.includes(id)
      ? []
      : [
          {
            file: siteSettingsFile.path,
            at: ["network", "cities", index],
            field: "network.cities",
            message: `names ${id}, which is not a city of ${networkFile.path}${didYouMean(id, ids)}`,
          },
        ],
  );
}
