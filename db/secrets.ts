import { randomBytes } from "node:crypto";
import { and, eq, gte, lt } from "drizzle-orm";
import type { Database } from "./client.ts";
import { secrets } from "./schema.ts";

/** The secret of this name, the same on every node: whoever comes first makes it, the others read it. */
export async function readSecret(db: Database, name: string): Promise<Buffer> {
  const known = await findSecret(db, name);
  if (known) return known;
  const value = randomBytes(32).toString("base64url");
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const kept = await findSecret(db, name);
  if (!kept) throw new Error(`The secret "${name}" was removed while it was read.`);
  return kept;
}

async function findSecret(db: Database, name: string): Promise<Buffer | null> {
  const [kept] = await db.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, name));
  return kept ? Buffer.from(kept.value, "base64url") : null;
}

/** Deletes the secrets whose names lie in this range of the alphabet, the second name not included. */
export async function forgetSecrets(db: Database, from: string, before: string): Promise<void> {
  await db.delete(secrets).where(and(gte(secrets.name, from), lt(secrets.name, before)));
}
