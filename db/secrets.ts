import { randomBytes } from "node:crypto";
import { and, eq, gte, lt } from "drizzle-orm";
import type { Database } from "./database.ts";
import { secrets } from "./schema.ts";

/** Created when the server starts, and never changed. */
export const permanentSecrets = ["blog-pictures", "forms", "unsubscribe"] as const;
/** The others are created when something is stored with them. */
type SecretName = (typeof permanentSecrets)[number] | `visitors:${string}`;

/** Read again after this time, because a restored backup brings its own secrets. */
const cacheMs = 5 * 60_000;
/** While the database is away, it is asked again after this time. */
const retryAfterMs = 10_000;
type CachedSecret = { secret: Buffer; until: number };
const cachedSecrets = new WeakMap<Database, Map<string, CachedSecret>>();

/**
 * The secret of this name, the same on every node: the first node that needs it creates it, the
 * others read it. It is kept in memory for a while, so that a form can be shown again, with what
 * was typed, when the database does not answer.
 */
export async function ensureSecret(
  db: Database,
  name: SecretName,
  now = performance.now(),
): Promise<Buffer> {
  const kept = cachedSecrets.get(db) ?? new Map<string, CachedSecret>();
  cachedSecrets.set(db, kept);
  const known = kept.get(name);
  if (known && known.until > now) return known.secret;
  try {
    const secret = await loadOrCreateSecret(db, name);
    kept.set(name, { secret, until: now + cacheMs });
    // The lasting ones stay for the time when the database is away.
    for (const [other, { until }] of kept)
      if (until <= now && other.startsWith("visitors:")) kept.delete(other);
    return secret;
  } catch (error) {
    if (!known) throw error;
    // While the database is away, it most likely is what it was.
    known.until = now + retryAfterMs;
    return known.secret;
  }
}

/**
 * Creates those that are missing, so that showing a page never has to write, which a full disk
 * would not allow.
 */
export async function createSecrets(db: Database): Promise<void> {
  for (const name of permanentSecrets) await ensureSecret(db, name);
}

async function loadOrCreateSecret(db: Database, name: SecretName): Promise<Buffer> {
  const known = await findSecret(db, name);
  if (known) return known;
  const value = randomBytes(32).toString("base64url");
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const kept = await findSecret(db, name);
  if (!kept) throw new Error(`The secret "${name}" was removed while it was read.`);
  return kept;
}

async function findSecret(db: Database, name: SecretName): Promise<Buffer | null> {
  const [kept] = await db
    .select({ value: secrets.value })
    .from(secrets)
    .where(eq(secrets.name, name));
  return kept ? Buffer.from(kept.value, "base64url") : null;
}

/**
 * Deletes the secrets whose names lie in this range of the alphabet, the second name not included.
 */
export async function deleteSecrets(db: Database, from: string, before: string): Promise<void> {
  await db.delete(secrets).where(and(gte(secrets.name, from), lt(secrets.name, before)));
}
