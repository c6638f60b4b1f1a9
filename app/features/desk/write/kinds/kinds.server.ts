import type { ItemKind } from "../../published/model.ts";
import { eventDrafts } from "./event.server.ts";
import type { DraftKind } from "./kind.ts";
import { postDrafts } from "./post.server.ts";
import { storyDrafts } from "./story.server.ts";

export const draftKinds: Record<ItemKind, DraftKind> = {
  story: storyDrafts,
  post: postDrafts,
  event: eventDrafts,
};
