export const publishedPath = "/desk/published";

export const itemKinds = ["story", "post", "event"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** "down": taken down, readers get "gone". "draft": an editor works on it again. */
export type ItemState = "published" | "down" | "draft";

/** In the database, a story or an event that is on the site has the state "approved". */
type RowState = "approved" | "down" | "draft";
export const toRowState = (state: ItemState): RowState =>
  state === "published" ? "approved" : state;
export const toItemState = (state: string): ItemState =>
  state === "down" || state === "draft" ? state : "published";

/** What the list can be limited to. Only what is on the site is pinned or live there. */
export const itemFilters = ["published", "pinned", "live", "down", "draft"] as const;
export type ItemFilter = (typeof itemFilters)[number];

/** "over": a live story that is no longer updated. "off": an ordinary story. */
export type LiveState = "live" | "over" | "off";

export const itemPath = (kind: ItemKind, id: string) =>
  `${publishedPath}/${kind}/${encodeURIComponent(id)}`;

export const versionsPath = (kind: ItemKind, id: string) => `${itemPath(kind, id)}/versions`;

const publicFolders: Record<ItemKind, string> = { story: "news", post: "blog", event: "events" };
export const toPublicPath = (kind: ItemKind, id: string) => `/${publicFolders[kind]}/${id}`;

/** The kinds that the city has: no events in a city without events. */
export const listItemKinds = (site: { hasPage(path: string): boolean }): ItemKind[] =>
  itemKinds.filter((kind) => site.hasPage(toPublicPath(kind, "")));

export const toItemKind = (typed: string | null): ItemKind | null =>
  itemKinds.find((kind) => kind === typed) ?? null;

export const toItemFilter = (typed: string | null): ItemFilter | null =>
  itemFilters.find((filter) => filter === typed) ?? null;

type Origin = { slug: string; rowId: string | null; file: string | null };
/** How the log names an item. */
export const logIdOf = ({ slug, rowId, file }: Origin): string => rowId ?? file ?? slug;

export const maxCorrectionLength = 1_000;
export const maxEntryTitleLength = 120;
export const maxEntryLength = 5_000;

/** What an editor can do, as the value of the pressed button, and what the page says afterwards. */
const itemActions = {
  correct: "You published the correction.",
  down: "You took it down.",
  again: "You published it again.",
  pin: "You pinned it to the front page.",
  unpin: "You unpinned it from the front page.",
  live: "It is live now. Readers see each entry as soon as you publish it.",
  end: "You ended it. Its page says that it is no longer updated.",
  rename: "You renamed it. Old links lead to the new address.",
  draft: "You made it a draft again.",
};
export type ItemAction = keyof typeof itemActions;
export const isItemAction = (pressed: string): pressed is ItemAction =>
  Object.hasOwn(itemActions, pressed);

/** The buttons that publish, change and delete an entry of a live story. */
export const entryAction = "entry";
export const editEntryAction = "edit-entry";
export const deleteEntryAction = "delete-entry";
const entryActions = {
  [entryAction]: "You published the entry.",
  [editEntryAction]: "You published the new text of the entry.",
  [deleteEntryAction]: "You deleted the entry. The versions still have it.",
};
export type EntryAction = keyof typeof entryActions;
export const isEntryAction = (pressed: string): pressed is EntryAction =>
  Object.hasOwn(entryActions, pressed);

/** The query parameter that says what the editor has just done. */
export const doneParam = "done";
export const restoredVersion = "restore";

const doneSentences = new Map(
  Object.entries({
    ...itemActions,
    ...entryActions,
    [restoredVersion]: "You restored an earlier version.",
  }),
);

export const readDone = (query: URLSearchParams): string | undefined =>
  doneSentences.get(query.get(doneParam) ?? "");

/** The query parameter and the field with the key of an entry. */
export const entryParam = "entry";
export const correctionFormPath = (kind: ItemKind, id: string) => `${itemPath(kind, id)}/correct`;
export const entryFormPath = (id: string) => `${itemPath("story", id)}/${entryAction}`;
export const editEntryPath = (id: string, key: string) =>
  `${itemPath("story", id)}?${new URLSearchParams({ [entryParam]: key })}`;

export const correctionField = "correction";
export const slugField = "slug";
/** The field of each action's form that must be filled in. */
export const requiredFields = new Map<string, string>([
  ["correct", correctionField],
  ["rename", slugField],
  [entryAction, "text"],
  [editEntryAction, "text"],
]);
