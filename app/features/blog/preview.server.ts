import { findPreview } from "../stories/preview/preview.server.ts";
import { describePost } from "./backend/load.server.ts";
import type { FullPostServices } from "./backend/source.server.ts";
import { findAnyPost } from "./posts/posts.server.ts";

/** The id in the preview link of a post. No story has an id with a slash. */
export const toLinkId = (slug: string) => `blog/${slug}`;

export const findPostPreview = (services: FullPostServices, slug: string, token: string) =>
  findPreview(
    services,
    { linkId: toLinkId(slug), token },
    {
      async find() {
        const post = await findAnyPost(services, slug);
        return post && { ...post, writtenDate: post.date, dueAt: post.publishAt };
      },
      show: (post) => describePost(services, post),
    },
  );
