import { randomBytes } from "node:crypto";
import { and, eq, gte, lt } from "drizzle-orm";
import type { Database } from "./database.ts";
import { secrets } from "./schema.ts";
import { readShared } from "./shared-reads.ts";

/** Secrets that are created when the server starts, and change only when a backup is restored. */
export const permanentSecrets = [
  "blog-images",
  "desk",
  "forms",
  "previews",
  "unsubscribe",
] as const;
/** Other secrets are created on first use. */
type SecretName = (typeof permanentSecrets)[number] | `visitors:${string}`;

/**
 * The secret with this name, which is the same on every node: the first node that needs it creates
 * it, and the others read it. A server keeps permanent secrets in memory, so that a form can be
 * shown again, as filled in, while the database does not respond. A restored backup brings its own
 * secrets, and purges these.
 */
export function ensureSecret(db: Database, name: SecretName): Promise<Buffer> {
  const load = (source: Database) => loadOrCreateSecret(source, name);
  return permanentSecrets.some((permanent) => permanent === name)
    ? readShared(db, { name: `secret ${name}`, tags: [], load })
    : load(db);
}

/**
 * Creates missing permanent secrets, so that showing a page never has to write to the database,
 * which would fail on a full disk.
 */
export async function createSecrets(db: Database): Promise<void> {
  for (const name of permanentSecrets) await ensureSecret(db, name);
}

async function loadOrCreateSecret(db: Database, name: SecretName): Promise<Buffer> {
  const known = await findSecret(db, name);
  if (known) return known;
  const value = randomBytes(32).toString("base64url");
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const stored = await findSecret(db, name);
  if (!stored) throw new Error(`The secret "${name}" was deleted while it was read.`);
  return stored;
}

async function findSecret(db: Database, name: SecretName): Promise<Buffer | null> {
  const [row] = await db
    .select({ value: secrets.value })
    .from(secrets)
    .where(eq(secrets.name, name));
  return row ? Buffer.from(row.value, "base64url") : null;
}

/**
 * Deletes the secrets whose names are in an alphabetical range: `from` is included, `before` is
 * not.
 */
export async function deleteSecrets(db: Database, from: string, before: string): Promise<void> {
  await db.delete(secrets).where(and(gte(secrets.name, from), lt(secrets.name, before)));
}
