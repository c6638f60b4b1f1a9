import type { SiteFile, SiteFolder } from "../lib/site/site-file.server.ts";
import type { Services } from "./services.ts";

/**
 * The city's files as they are on the disk. A file with a mistake of its own does not prevent
 * checks of the others.
 */
export type City = {
  /** The folder of the files. */
  siteFolder: string;
  origin: string | undefined;
  /** Undefined for a file that is wrong. */
  read<T>(file: SiteFile<T>): T | undefined;
  readAll<T>(folder: SiteFolder<T>): T[];
  /** The names of all records of a folder, also of those that are wrong. */
  names(folder: SiteFolder<unknown>): string[];
  /** Every good file with its value. */
  values: ReadonlyMap<string, unknown>;
  /** Null if they cannot be opened, for example because there is no database. */
  services(): Promise<Services | null>;
};

/**
 * A mistake that one file alone cannot show. `at` is its place: a setting, or a text of the file.
 */
export type CrossFileProblem = {
  file: string;
  at: PropertyKey[] | string;
  field: string;
  message: string;
  /** It is allowed, but the newsroom may not have meant it. */
  isNote?: boolean;
};

export type Check = (city: City) => CrossFileProblem[] | Promise<CrossFileProblem[]>;

/**
 * Looks at a link to a page of our own: undefined if the page is not this feature's, null if the
 * page exists, and else why not, with the paths that may have been meant.
 */
export type LinkCheck = (
  path: string,
  city: City,
) => Promise<{ reason?: string; known: string[] } | null | undefined>;
