import { asc, eq, inArray, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { type NoticeServices, notifyNewsroom } from "../forms/notice.server.ts";
import { emailField, optionalLine, requiredText } from "../forms/receive.server.ts";
import { doneLifetimeDays, maxMessageLength, maxNameLength, messageLifetimeDays } from "./model.ts";
import { contactMessages } from "./schema.server.ts";

/** The contact form: its fields, and how often one visitor may send it. */
export const contactForm = (categories: string[]) => ({
  name: "contact",
  perHour: 10,
  totalPerHour: 300,
  hasToken: true,
  schema: z.object({
    category: z
      .string()
      .refine((value) => categories.includes(value), "Please choose one of the list."),
    name: optionalLine(maxNameLength),
    email: z.union(
      [z.literal(""), emailField],
      "Please enter a complete e-mail address, such as name@example.com.",
    ),
    message: requiredText("Please write your message.", maxMessageLength),
  }),
});

type MessageFields = z.output<ReturnType<typeof contactForm>["schema"]>;
export type Message = typeof contactMessages.$inferSelect;

/** Stores a message and writes the mail that brings it to the newsroom: both, or neither. */
export async function storeMessage(
  { db, clock, to }: NoticeServices,
  message: MessageFields,
  category: string,
  key: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [kept] = await tx
      .insert(contactMessages)
      .values({ ...message, key, state: "new", createdAt: clock() })
      .onConflictDoNothing()
      .returning({ id: contactMessages.id });
    // The same form, sent twice.
    if (!kept) return;
    const { name, email, message: text } = message;
    await notifyNewsroom(
      { db: tx, clock, to },
      {
        key: `contact:${kept.id}`,
        listCommand: "messages list",
        subject: `A reader's message: ${category}`,
        lines: [
          ...(name ? [`Name: ${name}`] : []),
          email ? `E-mail: ${email} (press Reply to answer)` : "No e-mail address was given.",
          "",
          text,
          "",
          "--",
          "When it is dealt with:",
          `  ./newsroom messages done ${kept.id.slice(0, 8)}`,
        ],
        replyTo: email,
      },
    );
  });
}

/** Those of an editor's list, the oldest first. */
export function listMessages(db: Database, states: Message["state"][]): Promise<Message[]> {
  return db
    .select()
    .from(contactMessages)
    .where(inArray(contactMessages.state, states))
    .orderBy(asc(contactMessages.createdAt));
}

/** The messages whose id begins like this: one, if the editor has typed enough of it. */
export async function findMessages(db: Database, id: string): Promise<Message[]> {
  if (!/^[0-9a-f-]{1,36}$/i.test(id)) return [];
  return db
    .select()
    .from(contactMessages)
    .where(sql`${contactMessages.id}::text like ${`${id.toLowerCase()}%`}`)
    .orderBy(asc(contactMessages.createdAt));
}

export async function markDone(db: Database, clock: Clock, id: string): Promise<void> {
  await db
    .update(contactMessages)
    .set({ state: "done", doneAt: clock() })
    .where(eq(contactMessages.id, id));
}

export async function deleteOldMessages(db: Database, clock: Clock): Promise<number> {
  const { id, createdAt, doneAt } = contactMessages;
  const gone = await db
    .delete(contactMessages)
    .where(
      or(
        lt(createdAt, daysBefore(clock(), messageLifetimeDays)),
        lt(doneAt, daysBefore(clock(), doneLifetimeDays)),
      ),
    )
    .returning({ id });
  return gone.length;
}
