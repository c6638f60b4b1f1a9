import { didYouMean } from "../../lib/text/nearest.ts";
import type { Check, LinkCheck } from "../../platform/city.ts";
import { noPage } from "../../platform/services.ts";
import type { SiteFolder } from "../../site-files/site-file.server.ts";
import { checkExternalContent } from "../embeds/check.server.ts";
import { eventsFile, eventsFolder } from "./files.server.ts";
import { createEventLookup, findEvent } from "./listing/gather.server.ts";
import { meetingsFolder } from "./meetings/files.server.ts";
import { createMeetingLookup, findMeeting, type LookupServices } from "./meetings/gather.server.ts";

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

/** Checks links to the pages of a folder's files, and to others that `find` knows. */
const createLinkCheck =
  (
    folder: SiteFolder<unknown>,
    find: (services: LookupServices, id: string) => Promise<unknown>,
  ): LinkCheck =>
  async (path, city) => {
    const base = `/${folder.folder}/`;
    const id = path.startsWith(base) ? path.slice(base.length) : "";
    if (id === "" || id.includes("/")) return undefined;
    const names = city.names(folder);
    if (names.includes(id)) return null;
    const services = await city.services();
    if (services && (await find({ ...services, ...noPage }, id))) return null;
    return { known: names.map((name) => base + name) };
  };

export const checkEventLink = createLinkCheck(eventsFolder, (services, id) =>
  findEvent(createEventLookup(services), id),
);
export const checkMeetingLink = createLinkCheck(meetingsFolder, (services, id) =>
  findMeeting(createMeetingLookup(services), id),
);
