import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { booksFile } from "../../app/features/books/files.server.ts";
import { communityFile } from "../../app/features/community/files.server.ts";
import { embedsFile, frameSources } from "../../app/features/embeds/files.server.ts";
import { eventsFile, eventsFolder } from "../../app/features/events/files.server.ts";
import { goodToKnowFile, sectionsFile } from "../../app/features/feeds/files.server.ts";
import { homeFile } from "../../app/features/home/files.server.ts";
import { newsFolder } from "../../app/features/news/files.server.ts";
import { didYouMean } from "../../app/lib/nearest.ts";
import type { SiteFile, SiteFolder } from "../../app/lib/site-file.server.ts";
import type { RouteTable } from "../route-table.ts";
import type { Desk } from "./commands.ts";
import { checkLinks } from "./inside-links.ts";

/** The city's files as they are on the disk. A file with a mistake of its own does not keep others from being checked. */
export type City = {
  origin: string | undefined;
  /** Undefined for a file that is wrong. */
  read<T>(file: SiteFile<T>): T | undefined;
  readAll<T>(folder: SiteFolder<T>): T[];
  /** The names of all records of a folder, also of those that are wrong. */
  names(folder: SiteFolder<unknown>): string[];
  /** Every good file with what it says. */
  values: ReadonlyMap<string, unknown>;
};

/** A mistake that one file alone cannot show. `at` is its place: a setting, or a text of the file. */
export type CrossProblem = { file: string; at: PropertyKey[] | string; field: string; message: string };

/** Whether what files name in each other is there. */
export type Checks = (city: City, desk: Pick<Desk, "siteFolder" | "services">) => Promise<CrossProblem[]>;

export const createChecks =
  (routes: () => RouteTable): Checks =>
  async (city, desk) => [
    ...namedRecords(city),
    ...goodToKnowLists(city),
    ...namedWidgets(city),
    ...eventCategories(city),
    ...eventService(city),
    ...(await bookCovers(city, desk.siteFolder)),
    ...(await checkLinks(city, desk, routes())),
  ];

/** Pages name stories and events by their files. */
function namedRecords(city: City): CrossProblem[] {
  const home = city.read(homeFile);
  const community = city.read(communityFile);
  const lists = [
    { file: homeFile.path, at: ["featured"], names: home?.featured ?? [], folder: newsFolder },
    { file: homeFile.path, at: ["community"], names: home?.community ?? [], folder: newsFolder },
    { file: homeFile.path, at: ["events"], names: home?.events ?? [], folder: eventsFolder },
    {
      file: communityFile.path,
      at: ["stories", "items"],
      names: community?.stories.items ?? [],
      folder: newsFolder,
    },
  ];
  return lists.flatMap(({ file, at, names, folder }) => {
    const present = city.names(folder);
    return names.flatMap((name, index) =>
      present.includes(name)
        ? []
        : [
            {
              file,
              at: [...at, index],
              field: at.join("."),
              message: `names ${name}, and there is no ${folder.folder}/${name}.md${didYouMean(name, present)}`,
            },
          ],
    );
  });
}

/** A feed without headlines shows the list that is named after it, so a misspelt name leaves it empty. */
function goodToKnowLists(city: City): CrossProblem[] {
  const [lists, sections] = [city.read(goodToKnowFile), city.read(sectionsFile)];
  if (!lists || !sections) return [];
  const feeds = Object.values(sections.sections).flatMap((section) => Object.keys(section.feeds));
  const file = goodToKnowFile.path;
  return Object.keys(lists)
    .filter((id) => !feeds.includes(id))
    .map((id) => ({
      file,
      at: [id],
      field: id,
      message: `is not the name of a feed in sections.yaml${didYouMean(id, feeds)}`,
    }));
}

/** A browser blocks a widget whose service is not in the list of services. */
function namedWidgets(city: City): CrossProblem[] {
  const [embeds, sections] = [city.read(embedsFile), city.read(sectionsFile)];
  if (!embeds || !sections) return [];
  const hosts = frameSources(embeds);
  return Object.entries(sections.sections).flatMap(([section, { feeds }]) =>
    Object.entries(feeds).flatMap(([feed, { feedUrl }]) =>
      feedUrl === undefined || hosts.includes(new URL(feedUrl).origin)
        ? []
        : [
            {
              file: sectionsFile.path,
              at: ["sections", section, "feeds", feed, "feedUrl"],
              field: `${section}.${feed}.feedUrl`,
              message: `needs a service in embeds.yaml: name ${new URL(feedUrl).origin} there`,
            },
          ],
    ),
  );
}

function eventCategories(city: City): CrossProblem[] {
  const names = city.read(eventsFile)?.categories.map(({ name }) => name);
  if (!names) return [];
  return city.readAll(eventsFolder).flatMap(({ id, front: { category } }) =>
    names.includes(category)
      ? []
      : [
          {
            file: `events/${id}.md`,
            at: ["category"],
            field: "category",
            message: `must be one of those in ${eventsFile.path}: ${names.join(", ")}${didYouMean(category, names)}`,
          },
        ],
  );
}

/** A book without a cover of its own shows the placeholder. */
async function bookCovers(city: City, siteFolder: string): Promise<CrossProblem[]> {
  const books = city.read(booksFile)?.books ?? [];
  const covers = await readdir(join(siteFolder, "covers")).catch((): string[] => []);
  if (covers.includes("placeholder.svg") || books.every(({ id }) => covers.includes(`${id}.svg`))) return [];
  const message = "need covers/placeholder.svg, which is shown for a book that has no cover";
  return [{ file: booksFile.path, at: ["books"], field: "books", message }];
}

function eventService(city: City): CrossProblem[] {
  const key = city.read(eventsFile)?.outside?.service.key;
  const services = city.read(embedsFile)?.services;
  if (key === undefined || !services || key in services) return [];
  return [
    {
      file: eventsFile.path,
      at: ["outside", "service", "key"],
      field: "outside.service.key",
      message: `is not a service in ${embedsFile.path}${didYouMean(key, Object.keys(services))}`,
    },
  ];
}
