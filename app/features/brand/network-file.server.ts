import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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

/** Compares site.yaml with network.yaml, and network.yaml with the city folders. */
export async function checkNetwork(city: City): Promise<CrossFileProblem[]> {
  const [network, settings] = [city.read(networkFile), city.read(siteSettingsFile)];
  if (!network) return [];
  const ownId = basename(city.siteFolder);
  const ids = network.cities.map(({ id }) => id);
  const inNetwork = (at: PropertyKey[], message: string): CrossFileProblem => ({
    file: networkFile.path,
    at,
    field: String(at.at(-1)),
    message,
  });
  const problems: CrossFileProblem[] = [];
  if (ids.length > 0 && !(await isFolder(join(dirname(city.siteFolder), network.default))))
    problems.push(inNetwork(["default"], `names ${network.default}, which has no city folder`));
  const ownIndex = ids.indexOf(ownId);
  const ownUrl = network.cities[ownIndex]?.url;
  if (ownUrl !== undefined && city.origin !== undefined && ownUrl !== city.origin)
    problems.push(
      inNetwork(
        ["cities", ownIndex, "url"],
        `is ${ownUrl}, but origin in the site.yaml of ${ownId} is ${city.origin}`,
      ),
    );
  if (!settings) return problems;
  const inSettings = (at: PropertyKey[], field: string, message: string): CrossFileProblem => ({
    file: siteSettingsFile.path,
    at,
    field,
    message,
  });
  if (ids.length > 0 && settings.network.name !== network.name)
    problems.push(
      inSettings(
        ["network", "name"],
        "network.name",
        `is ${settings.network.name}, but the name in ${networkFile.path} is ${network.name}`,
      ),
    );
  for (const [index, id] of settings.network.cities.entries()) {
    const message =
      id === ownId
        ? `names ${id}, which is this city: name only other cities`
        : ids.includes(id)
          ? null
          : `names ${id}, which is not a city of ${networkFile.path}${didYouMean(id, ids)}`;
    if (message !== null)
      problems.push(inSettings(["network", "cities", index], "network.cities", message));
  }
  return problems;
}

const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory();
