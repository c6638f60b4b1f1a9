import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import { SetupError } from "../process/setup-error.ts";

/** The default city of a folder without network.yaml. */
const firstCity = "baltimore";

/** Returns the names of the city folders. */
export function listCities(sites: string): string[] {
  const names = readOrNull(() => readdirSync(sites)) ?? [];
  // While a city is being created, its folder begins with a dot.
  const cities = names.filter(
    (name) =>
      !name.startsWith(".") &&
      statSync(join(sites, name), { throwIfNoEntry: false })?.isDirectory(),
  );
  if (cities.length === 0)
    throw new SetupError(
      `There is no city in ${sites}. Set SITES_DIR to the folder that contains one folder per city.`,
    );
  return cities.toSorted();
}

/**
 * Returns the folder of the city with this name. Without a name, this is the only city or the
 * default city of network.yaml.
 */
export function findSite(sites: string, name: string | undefined): string {
  const cities = listCities(sites);
  const city = name ?? findDefaultCity(sites, cities);
  if (cities.includes(city)) return join(sites, city);
  const choice = `Set SITE, or --city for ./newsroom, to one of: ${cities.join(", ")}.`;
  if (name !== undefined) throw new SetupError(`There is no city "${city}" in ${sites}. ${choice}`);
  throw new SetupError(
    `Which city? ${choice} Or write its name as default into ${join(sites, "network.yaml")}.`,
  );
}

/**
 * Reads only this one setting, so that a mistake elsewhere in network.yaml does not stop the
 * server. `validate` reports it.
 */
function findDefaultCity(sites: string, cities: string[]): string {
  if (cities.length === 1 && cities[0] !== undefined) return cities[0];
  const source = readOrNull(() => readFileSync(join(sites, "network.yaml"), "utf8"));
  if (source === null) return firstCity;
  const document: unknown = parseDocument(source).toJS();
  const isGroup = typeof document === "object" && document !== null;
  return isGroup && "default" in document ? String(document.default) : "";
}

/**
 * The data folder of a city if DATA_DIR is not set. The default city has the folder that the only
 * city of an installation has, so that its data stay in place when a second city is added.
 */
export function defaultDataFolder(siteFolder: string): string {
  const [sites, city] = [resolve(siteFolder, ".."), basename(siteFolder)];
  return findDefaultCity(sites, listCities(sites)) === city ? "var" : join("var/cities", city);
}

const ownerFile = (dataDir: string) => join(dataDir, "city");

/** Throws if the data folder contains the data of another city. */
export function requireOwnData(dataDir: string, siteFolder: string): void {
  const city = basename(siteFolder);
  const owner = readOrNull(() => readFileSync(ownerFile(dataDir), "utf8"))?.trim() ?? city;
  if (owner !== city)
    throw new SetupError(
      `${dataDir} contains the data of the city "${owner}", not of "${city}". Set DATA_DIR to another folder. If "${city}" is the new name of "${owner}", delete the file ${ownerFile(dataDir)}.`,
    );
}

/** Records to which city a data folder belongs. */
export async function recordOwner(dataDir: string, siteFolder: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(ownerFile(dataDir), `${basename(siteFolder)}\n`);
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
