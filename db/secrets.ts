import { randomBytes } from "node:crypto";
import { and, eq, gte, lt } from "drizzle-orm";
import type { Database } from "./database.ts";
import { secrets } from "./schema.ts";

/** Secrets that are created when the server starts, and never change. */
export const permanentSecrets = ["blog-pictures", "forms", "previews", "unsubscribe"] as const;
/** Other secrets are created on first use. */
type SecretName = (typeof permanentSecrets)[number] | `visitors:${string}`;

/** Secrets are read again after this time, because a restored backup brings its own secrets. */
const cacheMs = 5 * 60_000;
/** How long to wait before the next attempt if the database is unavailable. */
const retryAfterMs = 10_000;
type CachedSecret = { secret: Buffer; until: number };
const cachedSecrets = new WeakMap<Database, Map<string, CachedSecret>>();

/**
 * The secret with this name, the same on every node: the first node that needs it creates it, the
 * others read it. It is cached, so that a form can be shown again, as filled in, while the database
 * does not respond.
 */
export async function ensureSecret(
  db: Database,
  name: SecretName,
  now = performance.now(),
): Promise<Buffer> {
  const cached = cachedSecrets.get(db) ?? new Map<string, CachedSecret>();
  cachedSecrets.set(db, cached);
  const known = cached.get(name);
  if (known && known.until > now) return known.secret;
  try {
    const secret = await loadOrCreateSecret(db, name);
    cached.set(name, { secret, until: now + cacheMs });
    // Permanent secrets stay cached in case the database becomes unavailable.
    for (const [other, { until }] of cached)
      if (until <= now && other.startsWith("visitors:")) cached.delete(other);
    return secret;
  } catch (error) {
    if (!known) throw error;
    // While the database is unavailable, the secret most likely has not changed.
    known.until = now + retryAfterMs;
    return known.secret;
  }
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
