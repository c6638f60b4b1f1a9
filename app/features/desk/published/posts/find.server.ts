import { eq } from "drizzle-orm";
import { showDateAndTime } from "../../../../lib/article-dates.ts";
import type { Services } from "../../../../platform/services.ts";
import { blogFolder } from "../../../blog/files.server.ts";
import { listFilePosts } from "../../../blog/posts/file-posts.server.ts";
import type { Post } from "../../../blog/posts/post.ts";
import { toPost } from "../../../blog/posts/posts.server.ts";
import type { PostRow } from "../../../blog/publish/desk-posts.server.ts";
import { blogPosts } from "../../../blog/schema.server.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import type { ItemState } from "../model.ts";

/** A post that is, or was, on the site, as its page at the desk shows it. */
export type DeskPost = Pick<
  Post,
  "slug" | "metaTitle" | "metaDescription" | "corrections" | "author" | "date"
> & {
  state: ItemState;
} & ({ kind: "row"; row: PostRow } | { kind: "file"; file: string });

/** Finds a post in a file or in the database. A row with the slug of a file is never shown. */
export async function findDeskPost(
  services: Pick<Services, "db" | "site">,
  requestedSlug: string,
): Promise<DeskPost | null> {
  const file = (await listFilePosts(services)).find(({ slug }) => slug === requestedSlug);
  if (file) {
    const state = toFileState(file);
    return { ...toTexts(file), kind: "file", file: toFileName(file.slug), state };
  }
  const [row] = await services.db.select().from(blogPosts).where(eq(blogPosts.slug, requestedSlug));
  if (!row) return null;
  return { ...toTexts(toPost(row)), kind: "row", row, state: row.state };
}

const toTexts = ({ slug, metaTitle, metaDescription, corrections, author, date }: Post) => ({
  slug,
  metaTitle,
  metaDescription,
  corrections,
  author,
  date,
});

/** What the page of a post at the desk shows. */
export function describeDeskPost({ site }: Pick<Services, "site">, post: DeskPost) {
  const { timeZone } = site.read(siteSettingsFile);
  const { slug, metaTitle: title, metaDescription: excerpt, author, date, state } = post;
  return {
    slug,
    title,
    excerpt,
    facts: [author.join(", "), showDateAndTime(date, timeZone).text]
      .filter((fact) => fact !== "")
      .join(" · "),
    state,
    corrections: post.corrections.map(({ date, text }) => ({
      date: showDateAndTime(date, timeZone).text,
      text,
    })),
    rowId: post.kind === "row" ? String(post.row.id) : null,
    file: post.kind === "file" ? post.file : null,
  };
}

export const toFileName = (slug: string) => `${blogFolder.folder}/${slug}.md`;

export const toFileState = ({
  isDraft,
  isDown,
}: {
  isDraft: boolean;
  isDown: boolean;
}): ItemState => (isDown ? "down" : isDraft ? "draft" : "published");
