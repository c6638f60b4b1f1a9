import type { SiteFile, SiteFolder } from "../site-files/site-file.server.ts";
import type { Services } from "./services.ts";

/**
 * The files of a city, either as they are on disk (`newsroom validate`) or as a running server has
 * read them. Files without mistakes can be checked even if others have mistakes.
 */
export type City = {
  siteFolder: string;
  /** The scheme and host of the site's own URLs. */
  origin: string | undefined;
  /** Returns undefined if the file has a mistake. */
  read<T>(file: SiteFile<T>): T | undefined;
  /** Leaves out the records that have mistakes. */
  readAll<T>(folder: SiteFolder<T>): readonly T[];
  /** Returns the names of all records of a folder, including those with mistakes. */
  names(folder: SiteFolder<unknown>): string[];
  /**
   * Returns false if the city leaves out the part or the section to which the page at the path
   * belongs.
   */
  hasPage(path: string): boolean;
  /** The content of every file, by path; of a file with mistakes, what could be read despite them. */
  values: ReadonlyMap<string, unknown>;
  /** Returns null if the services cannot be opened, for example because there is no database. */
  services(): Promise<Services | null>;
};

/** A mistake that is visible only when several files are compared. */
export type CrossFileProblem = {
  file: string;
  /**
   * Where the mistake is: the keys that lead to a setting, or a piece of the file's text. Null if
   * it concerns the entire file.
   */
  at: PropertyKey[] | string | null;
  /** The name of the setting, as the newsroom sees it. */
  field: string;
  message: string;
  /** Whether the value is allowed, but is probably not what the newsroom meant. */
  isNote?: boolean;
};

export type Check = (city: City) => CrossFileProblem[] | Promise<CrossFileProblem[]>;

/**
 * Checks a link to one of our own pages. Returns undefined if the page does not belong to this
 * feature, and null if the page exists. Otherwise returns the paths that do exist (`known`), from
 * which the message suggests a similar one, or a `reason` to show instead.
 */
export type LinkCheck = (
  path: string,
  city: City,
) => Promise<{ reason?: string; known: string[] } | null | undefined>;

/** Something that the newsroom should write, decide or replace before the public reads the site. */
export type LaunchItem = {
  file: string;
  /**
   * The keys that lead to the setting. Null if the item concerns the entire file or a missing file.
   */
  at: PropertyKey[] | null;
  message: string;
  fix: string;
  /** Whether the site can be public without it. */
  isOptional?: boolean;
};

export const listSamples = (
  folder: string,
  records: readonly { id: string; front: { sample: boolean } }[],
): LaunchItem[] =>
  records
    .filter(({ front }) => front.sample)
    .map(({ id }) => ({
      file: `${folder}/${id}.md`,
      at: ["sample"],
      message: "is a sample.",
      fix: "Delete the file, or make it true and remove this line.",
    }));
