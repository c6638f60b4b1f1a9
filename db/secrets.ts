import { randomBytes } from "node:crypto";
import { and, eq, gte, lt } from "drizzle-orm";
import type { Database } from "./client.ts";
import { secrets } from "./schema.ts";

/** The secret of this name, the same on every node: whoever comes first makes it, the others read it. */
export async function readSecret(db: Database, name: string): Promise<Buffer> {
  const value = randomBytes(32).toString("base64url");
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const [kept] = await db.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, name));
  if (!kept) throw new Error(`The secret "${name}" was removed while it was read.`);
  return Buffer.from(kept.value, "base64url");
}

/** Deletes the secrets whose names lie in this range of the alphabet, the second name not included. */
export async function forgetSecrets(db: Database, from: string, before: string): Promise<void> {
  await db.delete(secrets).where(and(gte(secrets.name, from), lt(secrets.name, before)));
}
