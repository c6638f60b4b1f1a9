import type { SiteFile, SiteFolder } from "../lib/site/site-file.server.ts";
import type { Services } from "./services.ts";

/**
 * The city's files as they are on disk. A file with a mistake does not prevent checks of the other
 * files.
 */
export type City = {
  /** The city folder. */
  siteFolder: string;
  origin: string | undefined;
  /** Returns undefined if the file has a mistake. */
  read<T>(file: SiteFile<T>): T | undefined;
  readAll<T>(folder: SiteFolder<T>): T[];
  /** Returns the names of all records of a folder, including those with mistakes. */
  names(folder: SiteFolder<unknown>): string[];
  /** The value of every file without mistakes. */
  values: ReadonlyMap<string, unknown>;
  /** Returns null if the services cannot be opened, for example because there is no database. */
  services(): Promise<Services | null>;
};

/**
 * A mistake that is visible only when several files are compared. `at` says where it is: the path
 * of a setting, or a piece of the file's text.
 */
export type CrossFileProblem = {
  file: string;
  at: PropertyKey[] | string;
  field: string;
  message: string;
  /** Whether the value is allowed, but is probably not what the newsroom meant. */
  isNote?: boolean;
};

export type Check = (city: City) => CrossFileProblem[] | Promise<CrossFileProblem[]>;

/**
 * Checks a link to one of our own pages. Returns undefined if the page does not belong to this
 * feature, null if the page exists, and otherwise the reason why it does not, with paths that the
 * editor may have meant.
 */
export type LinkCheck = (
  path: string,
  city: City,
) => Promise<{ reason?: string; known: string[] } | null | undefined>;
