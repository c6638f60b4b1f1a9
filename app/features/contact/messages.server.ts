import { and, eq, inArray, lt, or } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { deleteRows } from "../../../db/rows.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { shortenId } from "../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { tipCategory } from "../forms/model.ts";
import {
  mailSubjects,
  type NotifyServices,
  noEmailAddress,
  notifyNewsroom,
} from "../forms/notify-newsroom.server.ts";
import {
  type FormServices,
  formsPerHour,
  optionalEmail,
  optionalText,
  receiveForm,
  requiredText,
} from "../forms/receive.server.ts";
import { contactPageFile } from "./files.server.ts";
import {
  doneRetentionDays,
  maxMessageLength,
  maxNameLength,
  messageRetentionDays,
  rejectedRetentionDays,
  type Topic,
} from "./model.ts";
import { contactMessages } from "./schema.server.ts";

export const messageLimit = formsPerHour("messages", { visitor: 10, all: 300 });

const messageRule = (categories: string[]) => ({
  name: "message",
  limit: messageLimit,
  hasToken: true,
  schema: z.object({
    category: z.string().refine((value) => categories.includes(value), "Please choose a category."),
    name: optionalText(maxNameLength).overwrite(toSafeLine),
    email: optionalEmail,
    message: requiredText("Please write your message.", maxMessageLength),
  }),
});

export function receiveMessage(
  form: FormData,
  services: FormServices & NotifyServices & Pick<Services, "site">,
  topic: Topic | null,
) {
  const { site } = services;
  const { categories } = site.read(contactPageFile).form;
  const rule = messageRule(categories.map(({ value }) => value));
  return receiveForm(rule, form, services, (message, key, visitorHash) => {
    const categoryLabel = findCategoryLabel(site, message.category);
    return storeMessage(services, message, { categoryLabel, topic }, key, visitorHash);
  });
}

/** The city's name of a category, which it may have removed since. */
export const findCategoryLabel = (site: Services["site"], category: string): string =>
  site.read(contactPageFile).form.categories.find(({ value }) => value === category)?.label ??
  category;

type MessageFields = z.output<ReturnType<typeof messageRule>["schema"]>;
export type Message = typeof contactMessages.$inferSelect;

/**
 * Stores a message and queues the email about it in one transaction. `categoryLabel` is the
 * category as readers see it.
 */
export async function storeMessage(
  services: NotifyServices,
  typed: MessageFields,
  { categoryLabel, topic }: { categoryLabel: string; topic: Topic | null },
  key: string,
  visitorHash: string,
): Promise<"repeated" | undefined> {
  const { db, clock } = services;
  const { category, name, email } = typed;
  const isTip = category === tipCategory;
  // A news tip is stored without the hash, so that nothing links the source to other messages.
  const storedHash = isTip ? "" : visitorHash;
  return db.transaction(async (tx) => {
    const [stored] = await tx
      .insert(contactMessages)
      .values({
        ...typed,
        topic,
        key,
        visitorHash: storedHash,
        state: "waiting",
        createdAt: clock(),
      })
      .onConflictDoNothing()
      .returning({ id: contactMessages.id });
    if (!stored) return "repeated";
    const compose = (deskUrl: string | undefined) => ({
      subject: `${mailSubjects.message}: ${categoryLabel}`,
      lines: [
        ...(name ? [`Name: ${name}`] : []),
        email ? `Email: ${email}` : noEmailAddress,
        "",
        formatMessage({ ...typed, topic }),
        "",
        "--",
        ...(deskUrl
          ? ["Open it at the desk:", `  ${deskUrl}`]
          : [
              "When you are done with this message, run:",
              `  ./newsroom messages done ${shortenId(stored.id)}`,
            ]),
      ],
      replyTo: email,
    });
    const submission = { kind: "message", id: stored.id } as const;
    await notifyNewsroom({ ...services, db: tx }, submission, compose, isTip);
    return undefined;
  });
}

/** The message as emails show it, after the page that it is about. */
export const formatMessage = ({ topic, message }: Pick<Message, "topic" | "message">): string =>
  stripControlCharacters(topic ? `About: ${topic.title}\n${topic.url}\n\n${message}` : message);

/** The message, or the text of another submission, on one line. */
export const summarize = (text: string, topic: Topic | null): string =>
  toSafeLine(topic ? `${text} (about ${topic.title})` : text);

export async function setMessageState(
  db: Database,
  clock: Clock,
  ids: string[],
  state: "done" | "rejected",
): Promise<void> {
  await db
    .update(contactMessages)
    .set({ state, decidedAt: clock() })
    .where(inArray(contactMessages.id, ids));
}

export function deleteOldMessages(db: Database, clock: Clock): Promise<number> {
  const { state, createdAt, decidedAt } = contactMessages;
  const isOld = or(
    lt(createdAt, daysBefore(clock(), messageRetentionDays)),
    lt(decidedAt, daysBefore(clock(), doneRetentionDays)),
    and(eq(state, "rejected"), lt(decidedAt, daysBefore(clock(), rejectedRetentionDays))),
  );
  return deleteRows(db, contactMessages, isOld);
}
