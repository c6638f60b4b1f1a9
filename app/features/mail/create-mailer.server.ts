import { join } from "node:path";
import type { Feature } from "../../platform/feature.ts";
import type { Services } from "../../platform/services.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { Sender } from "./compose.server.ts";
import { createMailer, type Mailer } from "./mailer.server.ts";
import { createOutbox } from "./outbox.server.ts";
import type { RenderTemplate } from "./send.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";

type MailSettings = { dataDir: string; smtpUrl: URL | undefined; mailFrom: Sender | undefined };
type Templates = Pick<Feature, "mails">[];

const outboxFolder = (dataDir: string) => join(dataDir, "outbox");

/**
 * Returns a function that creates the mailer. The mailer uses the mail server in SMTP_URL. Without
 * SMTP_URL, it writes emails to files in the data folder.
 */
export const createMailerFor =
  (features: Templates) =>
  (
    { dataDir, smtpUrl, mailFrom }: MailSettings,
    services: Omit<Services, "mail">,
    isOnlySender: boolean,
  ): Promise<Mailer> => {
    const { site, db, clock, log } = services;
    const { deleteFilesBefore, deleteFiles, ...outbox } = createOutbox(outboxFolder(dataDir));
    return createMailer(
      {
        db,
        clock,
        log,
        renderTemplate: renderTemplateWith(features, services),
        // Files from the time before a mail server was configured must still be deleted.
        transport: {
          ...(smtpUrl ? createSmtpTransport(smtpUrl) : outbox),
          deleteFilesBefore,
          deleteFiles,
        },
        // Without MAIL_FROM, the sender is the city's current email address.
        sender: (): Sender =>
          mailFrom ?? {
            name: site.read(siteSettingsFile).name,
            address: site.read(contactFile).email,
          },
      },
      isOnlySender,
    );
  };

/** Renders the emails whose text is not stored. Each feature renders its own emails. */
const renderTemplateWith =
  (features: Templates, services: Omit<Services, "mail">): RenderTemplate =>
  async (template, about) => {
    const renderer = features
      .flatMap(({ mails = [] }) => mails)
      .find(({ isFor }) => isFor(template));
    if (!renderer) throw new Error(`No feature renders emails with the template "${template}".`);
    return renderer.write(services, template, about);
  };
