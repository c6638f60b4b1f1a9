import { eq } from "drizzle-orm";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { type Imprint, type MailBrand, renderMail } from "../../mail/page.server.ts";
import type { NewsletterTexts } from "../files.server.ts";
import { confirmPath, linkLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { createConfirmToken } from "./confirm.server.ts";
import { createUnsubscribeLink, unsubscribeHeaders } from "./unsubscribe.server.ts";

type MailTextServices = Pick<Services, "db" | "clock"> & {
  texts: Pick<NewsletterTexts, "heading" | "confirmation" | "already">;
  brand: MailBrand;
  imprint: Imprint;
};

/**
 * Renders the email after a sign-up: it asks for confirmation or, for a reader who has already
 * confirmed, says that there is nothing to do.
 */
export async function renderConfirmationMail(
  services: MailTextServices,
  id: string,
): Promise<MailContent | null> {
  const { db, texts, brand, imprint } = services;
  const { origin } = brand;
  const [subscriber] = await db
    .select({ state: subscribers.state })
    .from(subscribers)
    .where(eq(subscribers.id, id));
  if (!subscriber) return null;
  if (subscriber.state === "confirmed")
    return renderAlreadySubscribedMail(services, await createUnsubscribeLink(db, origin, id));
  const link = `${origin}${confirmPath}?token=${await createConfirmToken(db, services.clock, id)}`;
  const { subject, question, button, otherwise } = texts.confirmation;
  const paragraphs = [`The link works for ${linkLifetimeDays} days.`, otherwise];
  return {
    subject,
    ...renderMail({
      brand,
      imprint,
      heading: texts.heading,
      parts: [
        { kind: "paragraph", text: question },
        { kind: "button", label: button, link },
        ...paragraphs.map((text) => ({ kind: "paragraph" as const, text })),
      ],
    }),
  };
}

function renderAlreadySubscribedMail(
  { texts: { heading, already }, brand, imprint }: MailTextServices,
  link: string,
): MailContent {
  return {
    subject: already.subject,
    ...renderMail({
      brand,
      imprint,
      heading,
      parts: [{ kind: "paragraph", text: already.text }],
      links: [{ label: "Unsubscribe", link }],
    }),
    headers: unsubscribeHeaders(link),
  };
}
