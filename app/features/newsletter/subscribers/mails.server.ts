import { eq } from "drizzle-orm";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { mailPage } from "../../mail/page.server.ts";
import type { NewsletterTexts } from "../files.server.ts";
import { confirmPath, linkLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";
import { createConfirmToken } from "./confirm.server.ts";
import { unsubscribeHeaders, unsubscribeLink } from "./unsubscribe.server.ts";

type MailTextServices = Pick<Services, "db" | "clock"> & {
  texts: Pick<NewsletterTexts, "heading" | "confirmation" | "already">;
  origin: string;
  /** Who writes, and where they are: the law of many places asks for a street address. */
  imprint: { name: string; street: string; city: string };
};

/**
 * The mail that answers a sign-up: a question, or to a reader who has said yes before, that all is
 * well.
 */
export async function renderConfirmationMail(
  services: MailTextServices,
  id: string,
): Promise<MailContent | null> {
  const { db, texts, origin } = services;
  const [reader] = await db
    .select({ state: subscribers.state })
    .from(subscribers)
    .where(eq(subscribers.id, id));
  if (!reader) return null;
  if (reader.state === "confirmed")
    return renderAlreadySubscribedMail(services, await unsubscribeLink(db, origin, id));
  const link = `${origin}${confirmPath}?token=${await createConfirmToken(db, services.clock, id)}`;
  const { subject, question, button, otherwise } = texts.confirmation;
  const until = `The link works for ${linkLifetimeDays} days.`;
  return {
    subject,
    text: [question, `${button}:\n${link}`, until, otherwise, signature(services)].join("\n\n"),
    html: mailPage(texts.heading, [
      paragraph(question),
      `<p style="margin:24px 0"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;background:#e9b13c;color:#12263f;padding:14px 22px;font-weight:bold;text-decoration:none">${escapeHtml(button)}</a></p>`,
      paragraph(until),
      paragraph(otherwise),
      small(signature(services)),
    ]),
  };
}

function renderAlreadySubscribedMail(services: MailTextServices, leave: string): MailContent {
  const { texts } = services;
  const { subject, text } = texts.already;
  return {
    subject,
    text: [text, `To end the letter:\n${leave}`, signature(services)].join("\n\n"),
    html: mailPage(texts.heading, [
      paragraph(text),
      `<p style="margin:16px 0"><a class="link" href="${escapeHtml(leave)}" style="color:#17487a">End the letter</a></p>`,
      small(signature(services)),
    ]),
    headers: unsubscribeHeaders(leave),
  };
}

const signature = ({ imprint: { name, street, city } }: MailTextServices) =>
  `${name}\n${street}\n${city}`;

const paragraph = (text: string) => `<p style="margin:16px 0">${escapeHtml(text)}</p>`;

const small = (text: string) =>
  `<p class="soft" style="margin:28px 0 0;font-size:14px;color:#4a5664">${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;
