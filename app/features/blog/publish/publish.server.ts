import { desc, eq } from "drizzle-orm";
import { isAnyOf } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { writtenInstant } from "../../../lib/dates.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import type { Problem } from "../../../site-files/site-file.server.ts";
import { blogPosts } from "../schema.server.ts";
import type { ImportedPost } from "./import.server.ts";

/**
 * A statement changes few rows, because the built-in database can do nothing else while it runs.
 */
const batchSize = 100;

type ImportRules = {
  ownDomain: string;
  domains: string[];
  fileSlugs: string[];
  timeZone: string;
  now: Date;
};

/** Reports domains that are not in the network, and slugs that are already in use. */
export async function findImportProblems(
  db: Database,
  posts: ImportedPost[],
  rules: ImportRules,
): Promise<Problem[]> {
  const fileSlugs = new Set(rules.fileSlugs);
  const slugs = posts.map(({ slug }) => slug);
  const { slug } = blogPosts;
  const rows = await db.select({ slug }).from(blogPosts).where(isAnyOf(slug, slugs));
  const storedSlugs = new Set(rows.map((row) => row.slug));
  const problems: Problem[] = [];
  for (const { slug, domain = rules.ownDomain, line } of posts) {
    const addProblem = (field: string, message: string) => problems.push({ line, field, message });
    if (!rules.domains.includes(domain))
      addProblem(
        "domain",
        `"${domain}" is not one of ${rules.domains.join(", ")} (network in site.yaml)`,
      );
    if (fileSlugs.has(slug))
      addProblem(
        "slug",
        `"${slug}" is already a post; to correct it, edit the file blog/${slug}.md`,
      );
    else if (storedSlugs.has(slug))
      addProblem(
        "slug",
        `"${slug}" is already used by another post; to correct that post, write it as the file blog/${slug}.md, which replaces it`,
      );
  }
  return problems;
}

/** Stores all posts, or none if anything fails. */
export async function importPosts(
  db: Database,
  posts: ImportedPost[],
  rules: ImportRules,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    for (let start = 0; start < posts.length; start += batchSize) {
      const batch = posts.slice(start, start + batchSize);
      await tx.insert(blogPosts).values(
        batch.map(({ line: _line, domain = rules.ownDomain, ...post }) => ({
          ...post,
          domain,
          publishAt: writtenInstant(post.date, rules.timeZone),
          createdAt: rules.now,
        })),
      );
      onProgress(start + batch.length);
    }
    await purge(tx, [cacheTags.blog, ...posts.map(({ slug }) => cacheTags.post(slug))]);
  });
}

type Change = {
  state?: "published" | "draft" | "down";
  corrections?: Correction[];
  date?: { date: string; timeZone: string };
};

export async function changePost(
  db: Database,
  slug: string,
  { date, ...values }: Change,
): Promise<void> {
  const dates = date && {
    date: date.date,
    publishAt: writtenInstant(date.date, date.timeZone),
  };
  await db.transaction(async (tx) => {
    await tx
      .update(blogPosts)
      .set({ ...values, ...dates })
      .where(eq(blogPosts.slug, slug));
    await purge(tx, [cacheTags.blog, cacheTags.post(slug)]);
  });
}

export async function loadNewestPosts(db: Database, limit: number, domain?: string) {
  const where = domain === undefined ? undefined : eq(blogPosts.domain, domain);
  const { slug, metaTitle, state, publishAt } = blogPosts;
  const rows = await db
    .select({ slug, metaTitle, state, publishAt, domain: blogPosts.domain })
    .from(blogPosts)
    .where(where)
    .orderBy(desc(publishAt), desc(blogPosts.id))
    .limit(limit);
  return { rows, total: await db.$count(blogPosts, where) };
}
