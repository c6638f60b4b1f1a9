import type { ShareCardSource } from "../../platform/share-card.ts";
import { findPost, findPostCard } from "./backend/load.server.ts";

export const postShareCards: ShareCardSource = {
  kind: "blog",
  async find(services, slug) {
    const post = await findPost(services, slug);
    return post && findPostCard(services, post);
  },
};
