import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { ensureSecret } from "../../../../db/secrets.ts";
import { mails } from "../../mail/schema.server.ts";
import { unsubscribePath } from "../model.ts";
import { subscribers } from "../schema.server.ts";

const secretName = "unsubscribe";
const signatureLength = 22;

/** Asked for with every letter that is sent, and never changed. */
const keys = new WeakMap<Database, Buffer>();

async function readKey(db: Database): Promise<Buffer> {
  const key = keys.get(db) ?? (await ensureSecret(db, secretName));
  keys.set(db, key);
  return key;
}

const sign = (key: Buffer, id: string) =>
  createHmac("sha256", key).update(id).digest("base64url").slice(0, signatureLength);

/**
 * Names the reader of an address, in links and keys. It follows from the address: whoever leaves
 * and comes back is the same reader again, so that the link in an old letter still ends the new
 * ones. Without our key nobody gets from one to the other.
 */
export async function toSubscriberId(db: Database, email: string): Promise<string> {
  const bytes = createHmac("sha256", await readKey(db))
    .update(`reader:${email}`)
    .digest()
    .subarray(0, 16);
  // The form of a UUID whose bits are one's own (RFC 9562 5.8).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * The link that ends the letter. It works as long as the reader gets letters, from the oldest of
 * them too.
 */
export async function unsubscribeLink(db: Database, origin: string, id: string): Promise<string> {
  const token = `${id}.${sign(await readKey(db), id)}`;
  return `${origin}${unsubscribePath}?token=${token}`;
}

/** What a mail program needs to offer a button of its own (RFC 2369, RFC 8058). */
export const unsubscribeHeaders = (link: string) => ({
  "List-Unsubscribe": `<${link}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Whose link this is; null for one that we have not made. */
export async function readUnsubscribeToken(db: Database, token: string): Promise<string | null> {
  const [id = "", signature = "", ...rest] = token.split(".");
  const expected = Buffer.from(sign(await readKey(db), id));
  const given = Buffer.from(signature);
  const isOurs =
    rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs ? id : null;
}

/** Deletes the reader and all that is still to be sent. Twice is as good as once. */
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
