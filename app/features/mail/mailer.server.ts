import { join } from "node:path";
import { daysBefore } from "../../lib/dates.ts";
import { errorFields } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Feature } from "../../platform/feature.ts";
import type { OutgoingMail, Services } from "../../platform/services.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { Sender } from "./compose.server.ts";
import { createOutbox } from "./outbox.server.ts";
import { type MailServices, releaseAbandoned, sendDueMails } from "./send.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";
import { deleteOldMails, sentRetentionDays } from "./stored-mails.server.ts";

type Mailer = OutgoingMail & {
  /** Finishes the emails that are being sent, and sends no more. */
  close(): Promise<void>;
};

/**
 * After this time, our server stops even if the mail server does not respond. The next start marks
 * the email that was being sent as unclear.
 */
export const mailCloseTimeoutMs = 5_000;

/**
 * If `isOnlySender` is true, no other process sends emails. Then every email that is claimed at the
 * start was claimed by a process that has ended.
 */
export function createMailer(services: MailServices, isOnlySender: boolean): Mailer {
  let isFirstOfOnlySender = isOnlySender;
  let running: Promise<void> | null = null;
  let [isRequestedAgain, isClosing] = [false, false];

  async function run(): Promise<void> {
    // Claims are released before the first email, not when the server starts: with a full disk the
    // site must start, although nothing can be stored.
    do {
      isRequestedAgain = false;
      await releaseAbandoned(services, isFirstOfOnlySender);
      isFirstOfOnlySender = false;
      await sendDueMails(services, () => isClosing);
    } while (isRequestedAgain && !isClosing);
  }
  function sendDue(): Promise<void> {
    isRequestedAgain = true;
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }
  return {
    kind: services.transport.kind,
    sendDue,
    wake() {
      if (!isClosing)
        sendDue().catch((error) => services.log.error("mail.failed", errorFields(error)));
    },
    async deleteOld() {
      const { db, clock, outbox } = services;
      await outbox.deleteFilesBefore(daysBefore(clock(), sentRetentionDays));
      return deleteOldMails(db, clock);
    },
    deleteFiles: (ids) => services.outbox.deleteFiles(ids),
    async close() {
      isClosing = true;
      const work = running ?? Promise.resolve();
      await withTimeout(work, mailCloseTimeoutMs, "Sending takes too long.").catch(() => {});
    },
  };
}

type MailSettings = { dataDir: string; smtpUrl: URL | undefined; mailFrom: Sender | undefined };

/**
 * Without SMTP_URL, emails are written to files in the data folder. Features render the emails
 * whose text is not stored.
 */
export function openMailer(
  features: Pick<Feature, "mails">[],
  { dataDir, smtpUrl, mailFrom }: MailSettings,
  services: Omit<Services, "mail">,
  isOnlySender: boolean,
): Mailer {
  const { site, db, clock, log } = services;
  const outbox = createOutbox(join(dataDir, "outbox"));
  const templates = features.flatMap(({ mails = [] }) => mails);
  return createMailer(
    {
      db,
      clock,
      log,
      outbox,
      transport: smtpUrl ? createSmtpTransport(smtpUrl) : outbox,
      async renderTemplate(mail) {
        const renderer = templates.find(({ isFor }) => isFor(mail.template));
        if (!renderer)
          throw new Error(`No feature renders emails with the template "${mail.template}".`);
        return renderer.write(services, mail);
      },
      // Without MAIL_FROM, the sender is the city's current email address.
      sender: () =>
        mailFrom ?? {
          name: site.read(siteSettingsFile).name,
          address: site.read(contactFile).email,
        },
    },
    isOnlySender,
  );
}
