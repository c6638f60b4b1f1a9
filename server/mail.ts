import { join } from "node:path";
import { brandFile } from "../app/features/brand/files.server.ts";
import { contactFile } from "../app/features/contact/files.server.ts";
import { digestLetter, isDigest } from "../app/features/digest/issue.server.ts";
import type { Sender } from "../app/features/mail/compose.server.ts";
import { type Mailer, openMailer } from "../app/features/mail/mailer.server.ts";
import { outbox } from "../app/features/mail/outbox.server.ts";
import type { Fill } from "../app/features/mail/send.server.ts";
import { smtp } from "../app/features/mail/smtp.server.ts";
import { newsletterFile } from "../app/features/newsletter/files.server.ts";
import { askLetter } from "../app/features/newsletter/letters.server.ts";
import { askTemplate } from "../app/features/newsletter/subscribe.server.ts";
import type { Services } from "../app/platform/services.ts";
import type { Config } from "./config.ts";

export const outboxFolder = (dataDir: string) => join(dataDir, "outbox");

/** The way out for mails: the server that is named, or files in the data folder. */
export function openMail(
  { dataDir, smtpUrl, mailFrom }: Pick<Config, "dataDir" | "smtpUrl" | "mailFrom">,
  services: Omit<Services, "mail">,
  isAlone: boolean,
): Promise<Mailer> {
  const { site, db, clock, log } = services;
  const { forget, discard, ...files } = outbox(outboxFolder(dataDir));
  return openMailer(
    {
      ...{ db, clock, log, fill: fillWith(services) },
      // Files of the time before a server was named are still to be deleted.
      transport: { ...(smtpUrl ? smtp(smtpUrl) : files), forget, discard },
      // The city's own address, as it is when the mail leaves.
      sender: (): Sender =>
        mailFrom ?? { name: site.read(brandFile).name, address: site.read(contactFile).email },
    },
    isAlone,
  );
}

/** Who writes the mails whose words are not stored. */
const fillWith =
  ({ db, clock, site }: Omit<Services, "mail">): Fill =>
  async (template, about) => {
    const { origin, name } = site.read(brandFile);
    if (isDigest(template))
      return digestLetter(db, { origin, name: site.read(newsletterFile).heading }, template, about);
    if (template !== askTemplate) throw new Error(`Nobody writes mails of the kind "${template}".`);
    const imprint = { name, ...site.read(contactFile).address };
    return askLetter({ db, clock, origin, imprint, texts: site.read(newsletterFile) }, about);
  };
