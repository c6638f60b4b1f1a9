import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { readSender, renderMail } from "../../mail/layout.server.ts";
import { newsletterFile } from "../files.server.ts";
import { confirmPath, type LinkState, linkLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { createUnsubscribeLink, unsubscribeHeaders } from "./unsubscribe.server.ts";

const hashToken = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The previous link becomes invalid. Only the hash of the token is stored. */
async function createConfirmToken(db: Database, clock: Clock, id: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await db
    .update(subscribers)
    .set({ tokenHash: hashToken(token), tokenExpiresAt: daysBefore(clock(), -linkLifetimeDays) })
    .where(eq(subscribers.id, id));
  return token;
}

/** Checks a link without using it, because programs that scan emails open every link in them. */
export async function checkConfirmLink(
  db: Database,
  clock: Clock,
  token: string,
): Promise<LinkState> {
  const { state, tokenExpiresAt } = subscribers;
  const [subscriber] = await db
    .select({ state, tokenExpiresAt })
    .from(subscribers)
    .where(eq(subscribers.tokenHash, hashToken(token)));
  if (!subscriber) return "unknown";
  if (subscriber.state === "confirmed") return "used";
  return subscriber.tokenExpiresAt && subscriber.tokenExpiresAt > clock() ? "good" : "expired";
}

/** Confirms a subscription. A second attempt returns "used". */
export async function confirmSubscription(
  db: Database,
  clock: Clock,
  token: string,
): Promise<"confirmed" | LinkState> {
  const now = clock();
  const [subscriber] = await db
    .update(subscribers)
    .set({ state: "confirmed", confirmedAt: now })
    .where(
      and(
        eq(subscribers.tokenHash, hashToken(token)),
        eq(subscribers.state, "pending"),
        gt(subscribers.tokenExpiresAt, now),
      ),
    )
    .returning({ id: subscribers.id });
  return subscriber ? "confirmed" : checkConfirmLink(db, clock, token);
}

/**
 * The email after a sign-up: a question or, for a confirmed reader, that there is nothing to do.
 */
export async function renderConfirmationMail(
  { db, clock, site }: Pick<Services, "db" | "clock" | "site">,
  id: string,
): Promise<MailContent | null> {
  const { heading, confirmation, already } = site.read(newsletterFile);
  const frame = { ...readSender(site), heading };
  const { origin } = frame.brand;
  const [subscriber] = await db
    .select({ state: subscribers.state })
    .from(subscribers)
    .where(eq(subscribers.id, id));
  if (!subscriber) return null;
  if (subscriber.state === "confirmed") {
    const link = await createUnsubscribeLink(db, origin, id);
    return {
      subject: already.subject,
      ...renderMail({
        ...frame,
        parts: [{ kind: "paragraph", text: already.text }],
        links: [{ label: "Unsubscribe", link }],
      }),
      headers: unsubscribeHeaders(link),
    };
  }
  const link = `${origin}${confirmPath}?token=${await createConfirmToken(db, clock, id)}`;
  const { subject, question, button, otherwise } = confirmation;
  const paragraphs = [`The link works for ${linkLifetimeDays} days.`, otherwise];
  return {
    subject,
    ...renderMail({
      ...frame,
      parts: [
        { kind: "paragraph", text: question },
        { kind: "button", label: button, link },
        ...paragraphs.map((text) => ({ kind: "paragraph" as const, text })),
      ],
    }),
  };
}
