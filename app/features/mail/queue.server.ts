import type { Database } from "../../../db/client.ts";
import type { Clock } from "../../lib/dates.ts";
import { mails } from "./schema.server.ts";

export type Mail = {
  /** Says what the mail is about, such as "contact:<id>": one mail a key, ever. */
  key: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
};

/** Writes a mail down, in the transaction of what it tells about. It is sent once that is stored. */
export async function queueMail(db: Database, clock: Clock, mail: Mail): Promise<void> {
  const now = clock();
  const { key, to, subject, text, html = null, headers = {} } = mail;
  await db
    .insert(mails)
    .values({
      ...{ key, subject, text, html, headers, recipient: to },
      ...{ state: "waiting", attempts: 0, dueAt: now, createdAt: now },
    })
    .onConflictDoNothing();
}
