import { lt } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { emailField, optionalLine, requiredText } from "../forms/receive.server.ts";
import { maxMessageLength, maxNameLength, messageLifetimeDays } from "./model.ts";
import { contactMessages } from "./schema.server.ts";

/** The contact form: its fields, and how often one visitor may send it. */
export const contactForm = (categories: string[]) => ({
  name: "contact",
  perHour: 10,
  hasToken: true,
  schema: z.object({
    category: z.string().refine((value) => categories.includes(value), "Please choose one of the list."),
    name: optionalLine(maxNameLength),
    email: z.union(
      [z.literal(""), emailField],
      "Please enter a complete e-mail address, such as name@example.com.",
    ),
    message: requiredText("Please write your message.", maxMessageLength),
  }),
});

type Message = z.output<ReturnType<typeof contactForm>["schema"]>;

export async function keepMessage(db: Database, clock: Clock, message: Message, key: string): Promise<void> {
  await db
    .insert(contactMessages)
    .values({ ...message, key, state: "new", createdAt: clock() })
    .onConflictDoNothing();
}

export async function forgetOldMessages(db: Database, clock: Clock): Promise<number> {
  const gone = await db
    .delete(contactMessages)
    .where(lt(contactMessages.createdAt, daysBefore(clock(), messageLifetimeDays)))
    .returning({ id: contactMessages.id });
  return gone.length;
}
