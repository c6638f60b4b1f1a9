import { eq } from "drizzle-orm";
import {
  checkPreviewToken,
  describePreview,
  type PreviewNote,
} from "../stories/preview/preview.server.ts";
import { describePost } from "./backend/load.server.ts";
import type { FullPostServices, PostServices } from "./backend/source.server.ts";
import type { FullPost } from "./model.ts";
import { isPublished, listFilePosts } from "./posts/file-posts.server.ts";
import { toPost } from "./posts/posts.server.ts";
import { blogPosts } from "./schema.server.ts";

/** The id in the preview link of a post. No story has an id with a slash. */
export const toLinkId = (slug: string) => `blog/${slug}`;

/** Finds a post that is a file or in the database, also if readers do not see it yet. */
export async function findAnyPost({ site, db }: Pick<PostServices, "site" | "db">, slug: string) {
  const file = (await listFilePosts({ site, db })).find((post) => post.slug === slug);
  if (file) return file;
  const [row] = await db.select().from(blogPosts).where(eq(blogPosts.slug, slug));
  if (!row) return null;
  return { ...toPost(row), isDraft: row.state !== "published", isDown: row.state === "down" };
}

type Preview =
  | { kind: "shown"; post: FullPost; note: PreviewNote }
  | { kind: "published" }
  | { kind: "refused" };

/** Finds the post of a preview link. An invalid link does not tell whether there is such a post. */
export async function findPostPreview(
  services: FullPostServices,
  slug: string,
  token: string,
): Promise<Preview> {
  const now = services.clock();
  const expiresAt = await checkPreviewToken(services.db, toLinkId(slug), token, now);
  const post = expiresAt && (await findAnyPost(services, slug));
  if (!post) return { kind: "refused" };
  if (isPublished(post, now)) return { kind: "published" };
  return {
    kind: "shown",
    post: await describePost(services, post),
    note: describePreview(services, { ...post, writtenDate: post.date }, expiresAt),
  };
}
