import { and, asc, eq } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { lockRow } from "../../../../db/rows.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { formatMessage, setMessageState } from "../../contact/messages.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { requiredText } from "../../forms/receive.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { Desk } from "../services.ts";
import { rememberBefore } from "./before.server.ts";
import type { Decided } from "./decide.server.ts";
import { explainLate } from "./list.server.ts";
import { maxAnswerLength } from "./model.ts";
import { deskAnswers } from "./schema.server.ts";
import { storeUndo, undoUntil } from "./undo.server.ts";

export const answerSchema = z.object({
  answer: requiredText("Please write your answer.", maxAnswerLength),
});

export const listAnswers = (db: Database, message: string) =>
  db
    .select()
    .from(deskAnswers)
    .where(eq(deskAnswers.message, message))
    .orderBy(asc(deskAnswers.at));

/**
 * Answers a message by email and marks it as done. `seenState` is the state of the message when the
 * editor began to write: if another editor has answered meanwhile, nothing is sent.
 */
export async function answerMessage(
  { db, clock, site, editor }: Desk,
  id: string,
  text: string,
  seenState: string,
): Promise<Decided> {
  const now = clock();
  const { name, timeZone } = site.read(siteSettingsFile);
  return db.transaction(async (tx) => {
    const message = await lockRow(tx, contactMessages, eq(contactMessages.id, id));
    if (!message || message.state !== seenState)
      return { kind: "refused", message: explainLate([{ kind: "message", id }]) };
    if (message.email === "" || message.state === "rejected")
      return { kind: "refused", message: "This message cannot be answered by email." };
    await tx
      .delete(deskAnswers)
      .where(and(eq(deskAnswers.message, id), eq(deskAnswers.isDraft, true)));
    const [answer] = await tx
      .insert(deskAnswers)
      .values({ message: id, at: now, editorName: editor.name, text, isDraft: false })
      .returning({ id: deskAnswers.id });
    if (!answer) throw new Error("The answer was not stored.");
    const key = `answer:${answer.id}`;
    const items = await rememberBefore(tx, [{ kind: "message", ...message }]);
    await storeUndo(tx, now, editor, {
      summary: "Answered a message",
      before: { items, answer: answer.id },
      mailKeys: [key],
    });
    await setMessageState(tx, () => now, [id], "done");
    const received = shortTimestamp(message.createdAt, timeZone);
    await queueMail(tx, clock, {
      key,
      to: message.email,
      subject: `Re: Your message to ${name}`,
      text: `${stripControlCharacters(text)}\n\n${editor.name}\n${name}\n\nYou wrote on ${received}:\n${quote(formatMessage(message))}\n`,
      headers: { "Reply-To": site.read(contactFile).email },
      dueAt: undoUntil(now),
    });
    const title = `received ${received}`;
    await writeLog(tx, clock, editor, { action: "answered", kind: "message", items: [id], title });
    return { kind: "decided" };
  });
}

const quote = (text: string) =>
  stripControlCharacters(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
