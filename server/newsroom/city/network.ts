import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Document, isMap, isSeq, parse, parseDocument, type YAMLMap } from "yaml";
import { z } from "zod";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import { fail } from "../../../app/lib/newsroom/command-error.ts";

export const networkFileName = "network.yaml";
const defaultName = "Harborline";
const firstCity = "baltimore";

type City = { id: string; name: string; url: string };

/** Reads network.yaml for a change, or begins a new one with the cities that have folders. */
export async function openNetwork(sites: string): Promise<Document> {
  const path = join(sites, networkFileName);
  const source = await readFile(path, "utf8").catch((error: unknown) => {
    if (hasErrorCode(error, "ENOENT")) return null;
    throw error;
  });
  if (source === null) {
    const cities = await readCities(sites);
    const isFirstHere = cities.some(({ id }) => id === firstCity);
    const start = isFirstHere ? firstCity : cities[0]?.id;
    return new Document({ name: defaultName, ...(start && { default: start }), cities });
  }
  const document = parseDocument(source);
  if (document.errors.length > 0 || !isMap(document.contents) || !isSeq(document.get("cities")))
    fail(`✗ ${path} has a mistake. Run "./newsroom validate" and correct it first.`);
  return document;
}

export const readNetworkName = (network: Document) => String(network.get("name") ?? defaultName);

/** Adds a city to the network, in place of a sample with the same id. */
export function addCity(network: Document, city: City): string {
  const cities = network.get("cities");
  if (!isSeq(cities)) throw new Error("The list of cities was checked when it was read.");
  const isOther = (each: unknown): each is YAMLMap => isMap(each) && each.get("id") !== city.id;
  const other = cities.items.filter(isOther).find((each) => each.get("url") === city.url);
  if (other) fail(`✗ ${city.url} is the site of ${other.get("id")}: choose another domain.`);
  const entry = network.createNode(city, { flow: true });
  const index = cities.items.findIndex((each) => isMap(each) && each.get("id") === city.id);
  if (index < 0) cities.add(entry);
  else cities.set(index, entry);
  if (!network.has("default")) network.set("default", city.id);
  return network.toString({ lineWidth: 0 });
}

const identity = z.object({ name: z.string(), origin: z.string() });

async function readCities(sites: string): Promise<City[]> {
  const entries = await readdir(sites, { withFileTypes: true }).catch(() => []);
  const cities = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(async ({ name: id }) => {
        const source = await readFile(join(sites, id, "site.yaml"), "utf8").catch(() => "");
        const settings = identity.safeParse(parse(source));
        return settings.success
          ? [{ id, name: settings.data.name, url: settings.data.origin }]
          : [];
      }),
  );
  return cities.flat();
}
