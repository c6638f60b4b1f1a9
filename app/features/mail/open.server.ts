import { join } from "node:path";
import type { Feature } from "../../platform/feature.ts";
import type { Services } from "../../platform/services.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { brandFile } from "../brand/files.server.ts";
import type { Sender } from "./compose.server.ts";
import { type Mailer, openMailer } from "./mailer.server.ts";
import { createOutbox } from "./outbox.server.ts";
import type { RenderTemplate } from "./send.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";

type MailSettings = { dataDir: string; smtpUrl: URL | undefined; mailFrom: Sender | undefined };
type Templates = Pick<Feature, "mails">[];

const outboxFolder = (dataDir: string) => join(dataDir, "outbox");

/** The way out for mails: the server that is named, or files in the data folder. */
export const openMailFor =
  (features: Templates) =>
  (
    { dataDir, smtpUrl, mailFrom }: MailSettings,
    services: Omit<Services, "mail">,
    isAlone: boolean,
  ): Promise<Mailer> => {
    const { site, db, clock, log } = services;
    const { deleteFilesBefore, deleteFiles, ...files } = createOutbox(outboxFolder(dataDir));
    return openMailer(
      {
        db,
        clock,
        log,
        renderTemplate: renderTemplateWith(features, services),
        // Files of the time before a server was named are still to be deleted.
        transport: {
          ...(smtpUrl ? createSmtpTransport(smtpUrl) : files),
          deleteFilesBefore,
          deleteFiles,
        },
        // The city's own address, as it is when the mail leaves.
        sender: (): Sender =>
          mailFrom ?? { name: site.read(brandFile).name, address: site.read(contactFile).email },
      },
      isAlone,
    );
  };

/** Writes the mails whose text is not stored, each by the feature that sends it. */
const renderTemplateWith =
  (features: Templates, services: Omit<Services, "mail">): RenderTemplate =>
  async (template, about) => {
    const writer = features.flatMap(({ mails = [] }) => mails).find(({ isFor }) => isFor(template));
    if (!writer) throw new Error(`No feature writes mails of the kind "${template}".`);
    return writer.write(services, template, about);
  };
