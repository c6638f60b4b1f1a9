import { didYouMean } from "../../lib/text/nearest.ts";
import type { Check, LinkCheck } from "../../platform/city.ts";
import { noPage } from "../../platform/services.ts";
import { checkExternalContent } from "../embeds/check.server.ts";
import { eventsFile, eventsFolder } from "./files.server.ts";
import { createEventLookup, findEvent } from "./listing/gather.server.ts";

export const checkCategories: Check = (city) => {
  const names = city.read(eventsFile)?.categories.map(({ name }) => name);
  if (!names) return [];
  return city
    .readAll(eventsFolder)
    .filter(({ front: { category } }) => !names.includes(category))
    .map(({ id, front: { category } }) => ({
      file: `events/${id}.md`,
      at: ["category"],
      field: "category",
      message: `must be one of the categories in ${eventsFile.path}: ${names.join(", ")}${didYouMean(category, names)}`,
    }));
};

export const checkWall: Check = (city) =>
  checkExternalContent(city, eventsFile.path, city.read(eventsFile)?.outside);

export const checkEventLink: LinkCheck = async (path, city) => {
  const id = /^\/events\/([^/]+)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  const names = city.names(eventsFolder);
  if (names.includes(id)) return null;
  const services = await city.services();
  if (services && (await findEvent(createEventLookup({ ...services, ...noPage }), id))) return null;
  return { known: names.map((name) => `/events/${name}`) };
};
