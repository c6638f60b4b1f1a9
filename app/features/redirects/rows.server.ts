import { eq } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { readSharedOr, type SharedRead } from "../../../db/shared-reads.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { findRedirect, redirectsFile } from "./files.server.ts";
import { redirects } from "./schema.server.ts";

/** Where paths lead that editors renamed at the desk. */
export const renamedPaths: SharedRead<Record<string, string>> = {
  name: "renamed paths",
  tags: [cacheTags.redirects],
  async load(db) {
    const rows = await db.select().from(redirects);
    return Object.fromEntries(rows.map(({ oldPath, newPath }) => [oldPath, newPath]));
  },
};

/** Returns where an old path leads, "gone", or null. A line of redirects.yaml wins. */
export const findNewPath = async ({ site, db }: Pick<Services, "site" | "db">, path: string) =>
  findRedirect(site.read(redirectsFile), path) ??
  findRedirect(await readSharedOr(db, renamedPaths, {}), path);

/**
 * Older redirects that led to the old path now lead to the new path directly. If a page gets an old
 * path back, the redirect from that path is deleted.
 */
export async function addRedirect(
  tx: Database,
  { oldPath, newPath, at }: { oldPath: string; newPath: string; at: Date },
): Promise<void> {
  await tx.delete(redirects).where(eq(redirects.oldPath, newPath));
  await tx.update(redirects).set({ newPath }).where(eq(redirects.newPath, oldPath));
  await tx
    .insert(redirects)
    .values({ oldPath, newPath, createdAt: at })
    .onConflictDoUpdate({ target: redirects.oldPath, set: { newPath } });
  await purge(tx, [cacheTags.redirects]);
}
