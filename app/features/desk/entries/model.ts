import { deskPath } from "../model.ts";

/** What editors keep in lists, with one plain form for each entry. */
export const entryLists = ["meetings", "listings"] as const;
export type EntryList = (typeof entryLists)[number];

export const entryHeadings: Record<EntryList, string> = {
  meetings: "Meetings",
  listings: "Listings",
};

export const toEntryList = (typed: string): EntryList | null =>
  entryLists.find((list) => list === typed) ?? null;

export const entriesPath = (list: EntryList) => `${deskPath}/${list}`;

/** The query parameter with the id of the entry whose form is open. */
export const entryParam = "entry";
/** The id of an entry that is not stored yet. */
export const newEntry = "new";
export const entryPath = (list: EntryList, id: string) =>
  `${entriesPath(list)}?${new URLSearchParams({ [entryParam]: id })}`;

/** The query parameter with the id of the entry that was changed last. */
export const changedParam = "changed";
/** The query parameter with the button that was pressed. */
export const didParam = "did";

/** The field of the form that is not part of an entry. */
export const keyField = "key";

type Choice = { value: string; label: string };
export type EntryField = { name: string; label: string; hint?: string } & (
  | { type: "text"; maxLength: number; suggestions?: string[] }
  | { type: "area" | "url"; maxLength: number }
  | { type: "select"; choices: Choice[] }
  | { type: "date" | "time" | "check" }
);

type EntryButton = { action: string; label: string };

export type EntryRow = {
  id: string;
  title: string;
  facts: string;
  /** Such as "Canceled". */
  marks: string[];
  /** The path of the page on which readers see the entry. Null if no page shows it. */
  page: string | null;
  buttons: EntryButton[];
};

export type OpenEntry = { title: string; typed: Record<string, string> };
