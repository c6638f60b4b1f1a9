export const publishedPath = "/desk/published";

export const itemKinds = ["story", "post", "event"] as const;
export type ItemKind = (typeof itemKinds)[number];

export const toItemKind = (text: string | null): ItemKind | null =>
  itemKinds.find((kind) => kind === text) ?? null;

export const kindLabels: Record<ItemKind, { one: string; many: string }> = {
  story: { one: "Story", many: "Stories" },
  post: { one: "Post", many: "Posts" },
  event: { one: "Event", many: "Events" },
};

/** "down": taken down, readers get "gone". "draft": an editor works on it again. */
export type ItemState = "published" | "down" | "draft";

/** The page of an item at the desk. */
export const itemPath = (kind: ItemKind, id: string) =>
  `${publishedPath}/${kind}/${encodeURIComponent(id)}`;

export const versionsPath = (kind: ItemKind, id: string) => `${itemPath(kind, id)}/versions`;

export const maxCorrectionLength = 1_000;
export const maxSlugLength = 60;

/** What an editor can do to a published story, as the value of the pressed button. */
export const storyActions = [
  "correct",
  "down",
  "again",
  "pin",
  "unpin",
  "rename",
  "draft",
] as const;
export type StoryAction = (typeof storyActions)[number];

/** The same for a post. */
export const postActions = ["correct", "down", "again", "rename", "draft"] as const;
export type PostAction = (typeof postActions)[number];

/** The same for an event. */
export const eventActions = ["down", "again"] as const;
export type EventAction = (typeof eventActions)[number];

/** Why nothing was changed, and what the editor typed. */
export type ItemRefusal = { action: string; message: string; typed: string };
