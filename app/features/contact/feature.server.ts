import type { Feature } from "../../platform/feature.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { checkExternalContent } from "../embeds/check.server.ts";
import { checkTipCategory } from "./check.server.ts";
import { messagesCommand } from "./command.server.ts";
import { contactPageFile } from "./files.server.ts";
import { deleteOldMessages, messageLimit } from "./messages.server.ts";

export const contact: Feature = {
  name: "contact",
  limits: [messageLimit],
  commands: [messagesCommand],
  files: [contactPageFile],
  checks: [
    (city) => checkExternalContent(city, contactPageFile.path, city.read(contactPageFile)?.outside),
    checkTipCategory,
  ],
  retention: { messages: ({ db, clock }) => deleteOldMessages(db, clock) },
  pages(site) {
    const { email, tips, office, newsDesk, address, hours } = site.read(contactFile);
    const { title, heading, description, intro, labels, confidential } = site.read(contactPageFile);
    const details = [
      ...Object.values(labels),
      email,
      tips,
      office,
      newsDesk,
      address?.street,
      address?.city,
      hours,
    ];
    return {
      "/contact": {
        title,
        aliases: [heading, "Phone number", "Email address", "Address", "Opening hours"],
        summary: description,
        body: [intro, ...details, confidential.heading, ...confidential.paragraphs]
          .filter(Boolean)
          .join(" "),
      },
    };
  },
};
