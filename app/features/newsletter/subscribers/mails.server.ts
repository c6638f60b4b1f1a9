import { eq } from "drizzle-orm";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { readSender, renderMail } from "../../mail/layout.server.ts";
import { newsletterFile } from "../files.server.ts";
import { confirmPath, linkLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { createConfirmToken } from "./confirm.server.ts";
import { createUnsubscribeLink, unsubscribeHeaders } from "./unsubscribe.server.ts";

/**
 * Renders the email after a sign-up: it asks for confirmation or, for a reader who has already
 * confirmed, says that there is nothing to do.
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
