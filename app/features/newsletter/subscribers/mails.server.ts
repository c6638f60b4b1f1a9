import { eq } from "drizzle-orm";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { type MailBrand, mailPage } from "../../mail/page.server.ts";
import type { NewsletterTexts } from "../files.server.ts";
import { confirmPath, linkLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { createConfirmToken } from "./confirm.server.ts";
import { createUnsubscribeLink, unsubscribeHeaders } from "./unsubscribe.server.ts";

type MailTextServices = Pick<Services, "db" | "clock"> & {
  texts: Pick<NewsletterTexts, "heading" | "confirmation" | "already">;
  brand: MailBrand;
  /** The sender and their address: the law in many places requires a street address. */
  imprint: { name: string; street: string; city: string };
};

/**
 * Renders the email after a sign-up: it asks for confirmation or, for a reader who has already
 * confirmed, says that there is nothing to do.
 */
export async function renderConfirmationMail(
  services: MailTextServices,
  id: string,
): Promise<MailContent | null> {
  const { db, texts, brand } = services;
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
  const validity = `The link works for ${linkLifetimeDays} days.`;
  return {
    subject,
    text: [question, `${button}:\n${link}`, validity, otherwise, formatSignature(services)].join(
      "\n\n",
    ),
    html: mailPage(brand, texts.heading, [
      paragraph(question),
      `<p style="margin:24px 0"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;background:#e9b13c;color:#12263f;padding:14px 22px;font-weight:bold;text-decoration:none">${escapeHtml(button)}</a></p>`,
      paragraph(validity),
      paragraph(otherwise),
      smallPrint(formatSignature(services)),
    ]),
  };
}

function renderAlreadySubscribedMail(services: MailTextServices, link: string): MailContent {
  const { texts, brand } = services;
  const { subject, text } = texts.already;
  return {
    subject,
    text: [text, `Unsubscribe:\n${link}`, formatSignature(services)].join("\n\n"),
    html: mailPage(brand, texts.heading, [
      paragraph(text),
      `<p style="margin:16px 0"><a class="link" href="${escapeHtml(link)}" style="color:#17487a">Unsubscribe</a></p>`,
      smallPrint(formatSignature(services)),
    ]),
    headers: unsubscribeHeaders(link),
  };
}

const formatSignature = ({ imprint: { name, street, city } }: MailTextServices) =>
  `${name}\n${street}\n${city}`;

const paragraph = (text: string) => `<p style="margin:16px 0">${escapeHtml(text)}</p>`;

const smallPrint = (text: string) =>
  `<p class="soft" style="margin:28px 0 0;font-size:14px;color:#4a5664">${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;
