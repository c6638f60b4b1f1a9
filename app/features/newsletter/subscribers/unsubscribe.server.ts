import { createHmac } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { isSameSecret } from "../../../lib/is-same-secret.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { unsubscribePath } from "../model.ts";
import { subscribers } from "../schema.server.ts";

const signatureLength = 22;

const readKey = (db: Database): Promise<Buffer> => ensureSecret(db, "unsubscribe");

const sign = (key: Buffer, id: string) =>
  createHmac("sha256", key).update(id).digest("base64url").slice(0, signatureLength);

/**
 * The id is derived from the email address: a reader who subscribes again gets the same id, so the
 * unsubscribe link in an old issue still works. Without our key, nobody can compute the id from the
 * address or the address from the id.
 */
export async function toSubscriberId(db: Database, email: string): Promise<string> {
  const bytes = createHmac("sha256", await readKey(db))
    .update(`reader:${email}`)
    .digest()
    .subarray(0, 16);
  // Formats the bytes as a UUID of version 8, for custom bits (RFC 9562 5.8).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The link works as long as the reader is subscribed, even in the oldest issue. */
export async function createUnsubscribeLink(db: Database, origin: string, id: string) {
  const token = `${id}.${sign(await readKey(db), id)}`;
  return `${origin}${unsubscribePath}?token=${token}`;
}

/** With these headers, mail programs offer their own unsubscribe button (RFC 2369, RFC 8058). */
export const unsubscribeHeaders = (link: string) => ({
  "List-Unsubscribe": `<${link}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

export async function readUnsubscribeToken(db: Database, token: string): Promise<string | null> {
  const [id = "", signature = "", ...rest] = token.split(".");
  const isValid = rest.length === 0 && isSameSecret(signature, sign(await readKey(db), id));
  return isValid ? id : null;
}

/**
 * Also deletes unsent emails to the subscriber. Returns false only if we did not sign the token: a
 * second call with the same token returns true.
 */
export async function unsubscribe(db: Database, token: string): Promise<boolean> {
  const id = await readUnsubscribeToken(db, token);
  if (id === null) return false;
  await db.transaction(async (tx) => {
    await tx.delete(subscribers).where(eq(subscribers.id, id));
    await tx
      .delete(mails)
      .where(
        and(
          eq(mails.about, id),
          inArray(mails.state, ["waiting", "refused", "bounced", "unclear"]),
        ),
      );
  });
  return true;
}
